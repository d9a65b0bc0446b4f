import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity as log, type ActivityDetails } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createActivity, createRefusals } from './activity'

let database: Awaited<ReturnType<typeof openPgliteInMemory>>
let now = 0
const connect = async () => database.db
const activity = createActivity({ connect, now: () => now })
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())

async function written(details: ActivityDetails) {
  await database.db.delete(log)
  await activity.record({ userId: 'u', action: 'user-changed', details })
  return (await database.db.select().from(log).orderBy(log.id)).map((row) => row.details ?? {})
}

test('a long list goes on in further rows, and nobody is left out', async () => {
  const schools = Array.from({ length: 300 }, (_, n) => `school-${n}`)
  const rows = await written({ user: 'eva', role: 'staff', schools })
  expect(rows.flatMap((row) => row.schools)).toEqual(schools)
  expect(rows.every(({ user, role }) => user === 'eva' && role === 'staff')).toBe(true)
  expect(await written({ user: 'eva', schools: ['a', 'b'] })).toEqual([{ user: 'eva', schools: ['a', 'b'] }])
})

test('no row is longer than 500 characters, whatever it holds', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 700 }).map((it) => it.replaceAll('\0', '"').toWellFormed())
  const details = fc.record(
    { setting: text, from: text, to: text, n: fc.integer(), list: fc.array(text, { maxLength: 8 }) },
    { noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(details, async (given) => {
      const rows = await written(given)
      expect(Math.max(...rows.map((row) => JSON.stringify(row).length))).toBeLessThanOrEqual(500)
      expect(rows.flatMap(({ list }) => list ?? [])).toHaveLength(given.list.length)
    }),
    { numRuns: 150 },
  )
})

describe('a refusal', () => {
  const logger = { warn: (line: object) => expect(line).toBeNull() }
  const instance = () => createRefusals({ connect, activity, now: () => now, logger })
  const entered = async () => (await connect()).select().from(log).where(eq(log.action, 'refused'))
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20, 8, 59)
    await database.db.delete(log)
  })

  test('is entered once for each person, route and hour, whichever instances were asked', async () => {
    const instances = [instance(), instance(), instance()]
    for (let times = 0; times < 100; times += 1) {
      for (const refused of instances) refused('eva', 'GET', '/admin/users')
    }
    instances[0]?.('bo', 'GET', '/admin/users')
    await expect.poll(async () => (await entered()).length).toBe(2)
    now += 60_000
    for (const refused of instances) refused('eva', 'GET', '/admin/users')
    await expect.poll(async () => (await entered()).length).toBe(3)
    instance()('eva', 'GET', '/admin/users')
    instance()('eva', 'DELETE', '/api/users/:id')
    await expect.poll(async () => (await entered()).length).toBe(4)
    const found = (await entered()).map(({ userId, details }) => `${userId} ${String(details?.route)}`)
    expect(new Set(found)).toEqual(new Set(['eva /admin/users', 'bo /admin/users', 'eva /api/users/:id']))
  })

  test('one that could not be written is entered when it happens again', async () => {
    let isAway = true
    const warnings: object[] = []
    const refused = createRefusals({
      connect: async () => (isAway ? Promise.reject(new Error('away')) : database.db),
      activity,
      now: () => now,
      logger: { warn: (it: object) => void warnings.push(it) },
    })
    refused('eva', 'GET', '/admin/users')
    await expect.poll(() => warnings.length).toBe(1)
    isAway = false
    refused('eva', 'GET', '/admin/users')
    await expect.poll(async () => (await entered()).length).toBe(1)
  })
})
