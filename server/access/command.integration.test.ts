import { expect, test, vi } from 'vitest'
import type { Db } from '@/server/base/database'
import { ForbiddenError } from '@/server/base/errors'
import { activity as activityTable, settings } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { createRefusalLog } from './activity'
import { executeAccessCommand, executeCommand } from './command'
import { signInWorld } from './testing/sign-in-world'
import { storedUser } from './testing/stored-user'
import { makeViewer } from './viewer'

const { db, clock, advanceTime, announced, parts } = signInWorld()
const anna = makeViewer(storedUser('anna', { role: 'admin' }))
const sara = makeViewer(storedUser('sara'))
const change = (tx: Db) => tx.insert(settings).values({ name: 'x', value: 1, updatedAt: new Date(0) })
const stored = async () => ({
  changes: await db().$count(settings),
  entries: (await db().select().from(activityTable)).map(({ userId, action }) => [userId, action]),
})

test('what was done and its entry in the viewer’s name are there together, and the result comes back', async () => {
  const result = await executeCommand(parts, anna, 'admin', async (tx, log) => {
    await change(tx)
    await log({ action: 'settings-changed', details: { setting: 'x' } })
    return 7
  })
  expect(result).toBe(7)
  expect(await stored()).toEqual({ changes: 1, entries: [['anna', 'settings-changed']] })
})

test('a change of access is announced once it holds; what fails after the entry takes all back', async () => {
  const access = (fails: boolean) =>
    executeAccessCommand(parts, anna, 'admin', 'sara', async (tx, log) => {
      await change(tx)
      await log({ action: 'user-changed' })
      if (fails) throw new Error('too late')
    })
  await expect(access(true)).rejects.toThrow('too late')
  expect([announced, await stored()]).toEqual([[], { changes: 0, entries: [] }])
  await access(false)
  expect([announced, (await stored()).changes]).toEqual([['sara'], 1])
})

test.each([
  ['without a word to the log', async () => {}],
  ['with no entry', (log: () => Promise<void>) => log()],
])('a change %s is undone with an error', async (_, write) => {
  const silent = executeCommand(parts, anna, 'admin', async (tx, log) => {
    await change(tx)
    await write(() => log())
  })
  await expect(silent).rejects.toThrow('log.skip')
  expect(await stored()).toEqual({ changes: 0, entries: [] })
})

test('a command can say that there is nothing to log, or that it wrote its entries itself', async () => {
  await executeCommand(parts, sara, 'signed-in', async (tx, log) => {
    await change(tx)
    log.skip()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [] })
  await executeCommand(parts, sara, 'leads:triage', async (tx, log) => {
    await parts.activity.recordIn(tx, { userId: sara.id, action: 'triage-changed' })
    log.skip()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [['sara', 'triage-changed']] })
})

test('without the permission nothing is begun', async () => {
  const work = vi.fn<() => Promise<void>>()
  await expect(executeCommand(parts, sara, 'admin', work)).rejects.toThrow(ForbiddenError)
  expect(work).not.toHaveBeenCalled()
})

const refusals = async () => {
  const rows = await db().select().from(activityTable)
  return rows.map(({ userId, action, details }) => `${action} ${userId} ${details?.method} ${details?.route}`)
}

test('a refusal is entered once for each person, method, route and hour', async () => {
  const logger = { warn: (line: object) => expect(line).toBeNull() }
  const refused = createRefusalLog(testServices({ now: clock, logger }), parts.activity)
  advanceTime(59 * 60_000)
  for (let times = 0; times < 100; times += 1) refused('eva', 'GET', '/admin/users')
  refused('bo', 'GET', '/admin/users')
  const [eva, bo] = ['refused eva GET /admin/users', 'refused bo GET /admin/users']
  await expect.poll(refusals).toEqual([eva, bo])
  advanceTime(60_000)
  refused('eva', 'GET', '/admin/users')
  refused('eva', 'DELETE', '/api/users/:id')
  await expect.poll(refusals).toEqual([eva, bo, eva, 'refused eva DELETE /api/users/:id'])
})
