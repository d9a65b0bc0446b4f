import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity as log } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { createActivity, createRefusals } from './activity'

let database: Awaited<ReturnType<typeof openPgliteInMemory>>
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())

describe('a refusal', () => {
  let now = 0
  let isAway = false
  let warnings = 0
  const activity = createActivity({
    connect: async () => (isAway ? Promise.reject(new Error('away')) : database.db),
    now: () => now,
  })
  const instance = () => createRefusals({ activity, now: () => now, logger: { warn: () => void (warnings += 1) } })
  const entered = async () => {
    const rows = await database.db.select().from(log)
    return rows.map(({ userId, action, details }) => `${action} ${userId} ${details?.method} ${details?.route}`)
  }
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20, 8, 59)
    await database.db.delete(log)
  })

  test('is entered once for each person, method, route and hour', async () => {
    const refused = instance()
    for (let times = 0; times < 100; times += 1) refused('eva', 'GET', '/admin/users')
    refused('bo', 'GET', '/admin/users')
    const [eva, bo] = ['refused eva GET /admin/users', 'refused bo GET /admin/users']
    await expect.poll(entered).toEqual([eva, bo])
    now += 60_000
    refused('eva', 'GET', '/admin/users')
    refused('eva', 'DELETE', '/api/users/:id')
    await expect.poll(entered).toEqual([eva, bo, eva, 'refused eva DELETE /api/users/:id'])
    expect(warnings).toBe(0)
  })

  test('that could not be written is entered when it happens again', async () => {
    const refused = instance()
    isAway = true
    refused('eva', 'GET', '/admin/users')
    await expect.poll(() => warnings).toBe(1)
    isAway = false
    refused('eva', 'GET', '/admin/users')
    await expect.poll(entered).toHaveLength(1)
  })
})
