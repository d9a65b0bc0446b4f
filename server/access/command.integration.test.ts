import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createActivity } from './activity'
import { type OpenDatabase } from '@/server/base/database'
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
const change = { name: 'x', value: 1, updatedAt: at }

let database: OpenDatabase
const connect = vi.fn<() => Promise<OpenDatabase['db']>>(async () => database.db)
const parts = { connect, activity: createActivity({ connect, now: () => at.getTime() }) }
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())
beforeEach(async () => {
  connect.mockClear()
  for (const table of [activityTable, settings]) await database.db.delete(table)
})
const stored = async () => ({
  changes: await database.db.$count(settings),
  entries: (await database.db.select().from(activityTable)).map(({ userId, action }) => [userId, action]),
})

test('what was done and its entry in the viewer’s name are there together, and the result comes back', async () => {
  const result = await command(parts, anna, 'admin', async (tx, log) => {
    await tx.insert(settings).values(change)
    await log({ action: 'settings-changed', details: { setting: 'x' } })
    return 7
  })
  expect(result).toBe(7)
  expect(await stored()).toEqual({ changes: 1, entries: [['anna', 'settings-changed']] })
})

test('what fails after the entry takes the entry back, too', async () => {
  const failing = command(parts, anna, 'admin', async (tx, log) => {
    await tx.insert(settings).values(change)
    await log({ action: 'settings-changed' })
    throw new Error('too late')
  })
  await expect(failing).rejects.toThrow('too late')
  expect(await stored()).toEqual({ changes: 0, entries: [] })
})

test('a change without a word to the log is undone with an error', async () => {
  const silent = async (run: (log: () => Promise<void>) => Promise<void>) =>
    command(parts, anna, 'admin', async (tx, log) => {
      await tx.insert(settings).values(change)
      await run(() => log())
    })
  await expect(silent(async () => {})).rejects.toThrow('activity log')
  await expect(silent((logNoEntry) => logNoEntry())).rejects.toThrow('activity log')
  expect(await stored()).toEqual({ changes: 0, entries: [] })
})

test('a command can say that there is nothing to log, or that it wrote its entries itself', async () => {
  await command(parts, sara, 'signed-in', async (tx, log) => {
    await tx.insert(settings).values(change)
    log.nothing()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [] })
  await command(parts, sara, 'leads:triage', async (tx, log) => {
    await parts.activity.recordIn(tx, { userId: sara.id, action: 'triage-changed' })
    log.written()
  })
  expect(await stored()).toEqual({ changes: 1, entries: [['sara', 'triage-changed']] })
})

test('a change of access is announced once it holds, and not when it failed', async () => {
  const announced: string[] = []
  const person = async (userId: string) => void announced.push(`${userId} ${(await stored()).changes}`)
  const access = (fails: boolean) =>
    accessCommand(
      testServices({ ...parts, announcer: { userChanged: person } }),
      anna,
      'admin',
      'sara',
      async (tx, log) => {
        await tx.insert(settings).values(change)
        if (fails) throw new Error('too late')
        await log({ action: 'user-changed' })
      },
    )
  await expect(access(true)).rejects.toThrow('too late')
  await access(false)
  expect(announced).toEqual(['sara 1'])
})

test('without the permission nothing is begun', async () => {
  const work = vi.fn<() => Promise<void>>()
  await expect(command(parts, sara, 'admin', work)).rejects.toThrow(ForbiddenError)
  expect([work.mock.calls.length, connect.mock.calls.length]).toEqual([0, 0])
})
