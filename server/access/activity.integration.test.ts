import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity as log } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { createActivity, createRefusals } from './activity'

let database: Awaited<ReturnType<typeof openPgliteInMemory>>
let now = 0
const connect = async () => database.db
const activity = createActivity({ connect, now: () => now })
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())

describe('a refusal', () => {
  const logger = { warn: (line: object) => expect(line).toBeNull() }
  const instance = () => createRefusals({ activity, now: () => now, logger })
  const entered = async () => (await connect()).select().from(log).where(eq(log.action, 'refused'))
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20, 8, 59)
    await database.db.delete(log)
  })

  test('is entered once for each person, method, route and hour', async () => {
    const refused = instance()
    for (let times = 0; times < 100; times += 1) refused('eva', 'GET', '/admin/users')
    refused('bo', 'GET', '/admin/users')
    await expect.poll(async () => (await entered()).length).toBe(2)
    now += 60_000
    refused('eva', 'GET', '/admin/users')
    refused('eva', 'DELETE', '/api/users/:id')
    await expect.poll(async () => (await entered()).length).toBe(4)
    const found = (await entered()).map(({ userId, details }) => `${userId} ${String(details?.route)}`)
    expect(new Set(found)).toEqual(new Set(['eva /admin/users', 'bo /admin/users', 'eva /api/users/:id']))
  })

  test('one that could not be written is entered when it happens again', async () => {
    let isAway = true
    const warnings: object[] = []
    const refused = createRefusals({
      activity: { record: async (entry) => (isAway ? Promise.reject(new Error('away')) : activity.record(entry)) },
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
