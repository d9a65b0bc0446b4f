import { expect, test, vi } from 'vitest'
import { activity as activityTable } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { createRefusalLog } from './activity'
import { signInWorld } from './testing/sign-in-world'

const { db, clock, pass, parts } = signInWorld()
const entered = async () => {
  const rows = await db().select().from(activityTable)
  return rows.map(({ userId, action, details }) => `${action} ${userId} ${details?.method} ${details?.route}`)
}

test('a refusal is entered once for each person, method, route and hour', async () => {
  const logger = { warn: (line: object) => expect(line).toBeNull() }
  const refused = createRefusalLog(testServices({ now: clock, logger }), parts.activity)
  pass(59 * 60_000)
  for (let times = 0; times < 100; times += 1) refused('eva', 'GET', '/admin/users')
  refused('bo', 'GET', '/admin/users')
  const [eva, bo] = ['refused eva GET /admin/users', 'refused bo GET /admin/users']
  await expect.poll(entered).toEqual([eva, bo])
  pass(60_000)
  refused('eva', 'GET', '/admin/users')
  refused('eva', 'DELETE', '/api/users/:id')
  await expect.poll(entered).toEqual([eva, bo, eva, 'refused eva DELETE /api/users/:id'])
})

test('a refusal that could not be written is entered when it happens again', async () => {
  const record = vi.fn<typeof parts.activity.record>(parts.activity.record).mockRejectedValueOnce(new Error('away'))
  const warn = vi.fn<(line: object) => void>()
  const refused = createRefusalLog(testServices({ now: clock, logger: { warn } }), { record })
  refused('eva', 'GET', '/admin/users')
  await expect.poll(() => warn.mock.calls).toHaveLength(1)
  refused('eva', 'GET', '/admin/users')
  await expect.poll(entered).toHaveLength(1)
})
