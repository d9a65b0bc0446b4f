import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActivity } from './activity'
import { type Db, type OpenDatabase } from '@/server/base/database'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { activity as activityTable, settings } from '@/server/base/schema'
import { ForbiddenError } from '@/server/base/errors'
import { accessCommand, command } from './command'
import { storedUser } from './testing/stored-user'
import { testServices } from '@/server/testing/services'
import { makeViewer } from './viewer'

const anna = makeViewer(storedUser('anna', { role: 'admin' }))
const sara = makeViewer(storedUser('sara'))
const at = new Date(Date.UTC(2027, 0, 20, 8))

let database: OpenDatabase
const connect = async () => database.db
const announced: string[] = []
const services = testServices({
  connect,
  activity: createActivity({ connect, now: () => at.getTime() }),
  announcer: { userChanged: async (id: string) => void announced.push(`${id} ${(await stored()).changes}`) },
})
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())
beforeEach(async () => {
  for (const table of [activityTable, settings]) await database.db.delete(table)
})
const change = (tx: Db) => tx.insert(settings).values({ name: 'x', value: 1, updatedAt: at })
const stored = async () => ({
  changes: await database.db.$count(settings),
  entries: (await database.db.select().from(activityTable)).map(({ userId, action }) => [userId, action]),
})

test('what was done and its entry in the viewer’s name are there together, and the result comes back', async () => {
  const result = await command(services, anna, 'admin', async (tx, log) => {
    await change(tx)
    await log({ action: 'settings-changed', details: { setting: 'x' } })
    return 7
  })
  expect(result).toBe(7)
  expect(await stored()).toEqual({ changes: 1, entries: [['anna', 'settings-changed']] })
})

test('a change of access is announced once it holds; what fails after the entry takes all back', async () => {
  const access = (fails: boolean) =>
    accessCommand(services, anna, 'admin', 'sara', async (tx, log) => {
      await change(tx)
      await log({ action: 'user-changed' })
      if (fails) throw new Error('too late')
    })
  await expect(access(true)).rejects.toThrow('too late')
  expect([announced, await stored()]).toEqual([[], { changes: 0, entries: [] }])
  await access(false)
  expect(announced).toEqual(['sara 1'])
})

test.each([
  ['without a word to the log', async () => {}],
  ['with no entry', (log: () => Promise<void>) => log()],
])('a change %s is undone with an error', async (_, write) => {
  const silent = command(services, anna, 'admin', async (tx, log) => {
    await change(tx)
    await write(() => log())
  })
  await expect(silent).rejects.toThrow('activity log')
  expect(await stored()).toEqual({ changes: 0, entries: [] })
})

test('a command can say that there is nothing to log, or that it wrote its entries itself', async () => {
  await command(services, sara, 'signed-in', async (tx, log) => {
    await change(tx)
    log.nothing()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [] })
  await command(services, sara, 'leads:triage', async (tx, log) => {
    await services.activity.recordIn(tx, { userId: sara.id, action: 'triage-changed' })
    log.written()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [['sara', 'triage-changed']] })
})

test('without the permission nothing is begun', async () => {
  const work = vi.fn<() => Promise<void>>()
  await expect(command(services, sara, 'admin', work)).rejects.toThrow(ForbiddenError)
  expect(work).not.toHaveBeenCalled()
})
