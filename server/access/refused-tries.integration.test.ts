import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createActivity } from '@/server/activity/activity'
import type { OpenDatabase } from '@/server/db/database'
import { activity as table } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { refusedTries } from './refused-tries'
import { makeViewer } from './viewer'

let database: OpenDatabase
let now = 0
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())
beforeEach(async () => {
  now = Date.UTC(2027, 0, 20, 8)
  await database.db.delete(table)
})

const connect = async () => database.db
const activity = createActivity({ connect, now: () => now })
const eva = makeViewer({ id: 'eva', name: 'Eva', email: 'eva@x.test', role: 'staff', schools: 'all' })
const minute = (passed: number) => new Date(Date.UTC(2027, 0, 20, 8, passed)).toISOString()
const log = async (action: 'sign-in' | 'sign-in-failed', details = {}, userId: string | null = 'eva') => {
  await activity.record({ userId, action, details: { with: 'password', ...details } })
  now += 60_000
}

test('tells what was refused between the last two sign-ins, and when last', async () => {
  await log('sign-in-failed')
  await log('sign-in')
  await log('sign-in-failed')
  await log('sign-in-failed', { knownDevice: false })
  await log('sign-in')
  await log('sign-in-failed')
  expect(await refusedTries({ connect }, eva)).toEqual({ count: 2, lastAt: minute(3), since: minute(1) })
})

test('leaves out a person’s own slips on a device of theirs, and what others did', async () => {
  await log('sign-in')
  await log('sign-in-failed', { knownDevice: true })
  await log('sign-in-failed', {}, 'bo')
  await log('sign-in-failed', {}, null)
  await log('sign-in')
  expect(await refusedTries({ connect }, eva)).toEqual({ count: 0, lastAt: null, since: minute(0) })
})

test('at the very first sign-in tells everything before it', async () => {
  await log('sign-in-failed')
  await log('sign-in')
  expect(await refusedTries({ connect }, eva)).toEqual({ count: 1, lastAt: minute(0), since: null })
})
