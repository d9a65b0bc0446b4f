import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createActivity } from '@/server/activity/activity'
import { activity as activityTable, users } from '@/server/db/schema'
import { type Connect, type OpenDatabase } from '@/server/db/database'
import { FolderInUseError } from '@/server/db/folder-lock'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { openConsole } from '@/server/operations/console-socket'
import { createSeal } from '@/server/seal'
import { runAdmin } from './run'

const KEY = Symbol.for('intag.services')
const dataKeys = { current: new Uint8Array(32).fill(4), previous: null }
const person = {
  id: 'u1',
  email: 'a@x.test',
  name: 'A',
  role: 'admin',
  schools: 'all',
  createdAt: new Date(0),
} as const
const made: OpenDatabase[] = []
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-command-'))
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, KEY)
  for (const { close } of made) await close()
  await rm(folder, { recursive: true })
})

async function database(): Promise<OpenDatabase> {
  const opened = await openPgliteInMemory()
  made.push(opened)
  return opened
}

/** The process is one of this database from now on. */
function be(connect: Connect, given: { dataKeys?: typeof dataKeys } = {}) {
  const parts = {
    feed: {},
    env: { mode: 'connected', databaseUrl: null, dataDir: folder, limits: { perSecond: 10, perHour: 600 } },
    now: Date.now,
    connect,
    dataKeys,
    redis: null,
    database: { close: async () => {} },
    activity: createActivity({ connect, now: Date.now }),
    sealer: { sealLast: async () => {} },
    seal: createSeal(given.dataKeys ?? dataKeys),
    ...given,
  }
  Reflect.set(globalThis, KEY, parts)
  return parts
}

const run = (...args: string[]) => runAdmin(args, 'intag admin')
const actions = async ({ db }: OpenDatabase) => (await db.select().from(activityTable)).map(({ action }) => action)

test('what is backed up here is there after it was restored, and both are in the log', async () => {
  const [here, there, path] = [await database(), await database(), join(folder, 'one.backup')]
  await here.db.insert(users).values(person)
  be(async () => here.db)
  expect(await run('backup', path)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/is whole: 4 rows.*connected/s),
  })
  expect(await actions(here)).toEqual(['backup-made'])
  expect(await run('backup', path)).toMatchObject({ code: 1, err: expect.stringContaining('already') })
  const before = await readFile(path)
  be(async () => there.db)
  expect(await run('backup', path, '--verify')).toMatchObject({ code: 0 })
  expect(await run('restore', path)).toMatchObject({ code: 0, out: expect.stringContaining('compared row by row') })
  expect(await there.db.select().from(users)).toMatchObject([{ id: 'u1', name: 'A' }])
  expect(await actions(there)).toEqual(['backup-restored'])
  const again = await run('restore', path)
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/not empty.*--replace/) })
  expect(await run('restore', path, '--replace')).toMatchObject({ code: 0 })
  expect(await readFile(path)).toEqual(before)
})

test('with another key, or no backup at all, it says so and does nothing', async () => {
  const [here, there, path] = [await database(), await database(), join(folder, 'two.backup')]
  be(async () => here.db)
  await run('backup', path)
  be(async () => there.db, { dataKeys: { current: new Uint8Array(32).fill(5), previous: null } })
  expect(await run('restore', path)).toMatchObject({ code: 1, err: expect.stringContaining('another DATA_KEY') })
  expect(await run('restore', 'package.json')).toMatchObject({ code: 1, err: 'This is no backup of Intag.' })
  expect(await actions(there)).toEqual([])
})

test('beside an Intag that runs on PGlite a backup is made by it, and a restore refused', async () => {
  const [running, path] = [await database(), join(folder, 'three.backup')]
  const parts = be(async () => running.db)
  const state = () => ({ content: null, problem: null, fetchedAt: null, nextAt: null })
  const server = openConsole({
    ...parts,
    env: { ...parts.env, mode: 'connected' },
    logger: { warn: () => {} },
    feed: { askedQuestions: state, declarations: state, highSchools: state } as never,
    budget: {
      usage: () => ({ spentThisHour: 0, perHour: 600, perSecond: 10 }),
      reserve: () => Promise.reject(new Error('not asked')),
    },
  })
  await new Promise((resolve) => server?.once('listening', resolve))
  be(() => Promise.reject(new FolderInUseError('/data/folder.lock', '7')))
  expect(await run('backup', path)).toMatchObject({ code: 0, out: expect.stringContaining('is whole') })
  expect(await run('restore', path)).toMatchObject({ code: 1, err: expect.stringContaining('Stop Intag') })
  await new Promise((resolve) => server?.close(resolve))
  const other = join(folder, 'four.backup')
  expect(await run('backup', other)).toMatchObject({ code: 1, err: expect.stringContaining('Stop Intag') })
})
