import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { activity as activityTable, users } from '@/server/db/schema'
import { type Connect, type OpenDatabase } from '@/server/db/database'
import { FolderInUseError } from '@/server/db/data-folder'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { openRunning } from '@/server/operations/testing/running-console'
import { temporaryFolder } from '@/server/testing/folder'
import { consoleWorld } from './testing/console-world'

const dataKeys = { current: new Uint8Array(32).fill(4), previous: null }
const who = { id: 'u1', email: 'a@x.test', name: 'A' }
const person = { ...who, role: 'admin', schools: 'all', createdAt: new Date(0) } as const
const made: OpenDatabase[] = []
const folder = temporaryFolder()
const world = consoleWorld()
const { run } = world
const be = (connect: Connect) => {
  world.be(connect, { dataKeys, env: { dataDir: folder }, sealer: { sealLast: async () => {} } })
}
afterAll(async () => {
  for (const { close } of made) await close()
})

async function database(): Promise<OpenDatabase> {
  const opened = await openPgliteInMemory()
  made.push(opened)
  return opened
}

const actions = async ({ db }: OpenDatabase) => (await db.select().from(activityTable)).map(({ action }) => action)

test('what is backed up here is there after it was restored, and both are in the log', async () => {
  const [here, there, path] = [await database(), await database(), join(folder, 'one.backup')]
  await here.db.insert(users).values(person)
  be(async () => here.db)
  const whole = expect.stringMatching(/is whole: 4 rows.*connected/s)
  expect(await run('backup', path)).toMatchObject({ code: 0, out: whole })
  expect(await actions(here)).toEqual(['backup-made'])
  expect(await run('backup', path)).toMatchObject({ code: 1, err: expect.stringContaining('already') })
  const before = await readFile(path)
  be(async () => there.db)
  expect(await run('backup', path, '--verify')).toMatchObject({ code: 0 })
  expect(await run('restore', path)).toMatchObject({ code: 0, out: expect.stringContaining('compared row by row') })
  expect(await there.db.select().from(users)).toMatchObject([{ id: 'u1', name: 'A' }])
  expect(await actions(there)).toEqual(['backup-restored'])
  expect(await run('restore', 'package.json')).toMatchObject({ code: 1, err: 'This is no backup of Intag.' })
  const again = await run('restore', path)
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/not empty.*--replace/) })
  expect(await run('restore', path, '--replace')).toMatchObject({ code: 0 })
  expect(await readFile(path)).toEqual(before)
})

test('beside an Intag that runs on PGlite a backup is made by it, and a restore refused', async () => {
  const [running, path] = [await database(), join(folder, 'two.backup')]
  const server = await openRunning({ connect: async () => running.db, dataDir: folder, dataKeys })
  be(() => Promise.reject(new FolderInUseError('/data/folder.lock', '7')))
  expect(await run('backup', path)).toMatchObject({ code: 0, out: expect.stringContaining('is whole') })
  const entries = await running.db.select().from(activityTable)
  expect(entries).toMatchObject([{ action: 'backup-made', userId: null, details: { rows: 1, console: true } }])
  expect(await readdir(join(folder, 'backups')), 'it was moved').toEqual([])
  expect(await run('restore', path)).toMatchObject({ code: 1, err: expect.stringContaining('Stop Intag') })
  await new Promise((resolve) => server?.close(resolve))
  const other = join(folder, 'three.backup')
  expect(await run('backup', other)).toMatchObject({ code: 1, err: expect.stringContaining('Stop Intag') })
})
