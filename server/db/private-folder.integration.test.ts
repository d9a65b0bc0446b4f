import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPglite } from './database'
import { makePrivate } from './private-folder'

let root: string
let umask: number
beforeEach(async () => {
  umask = process.umask(0o022)
  root = await mkdtemp(join(tmpdir(), 'intag-private-'))
})
afterEach(async () => {
  process.umask(umask)
  await rm(root, { recursive: true })
})

/** Every path below, with who may do what. */
async function modesBelow(folder: string): Promise<Map<string, string>> {
  const modes = new Map([['.', await modeOf(folder)]])
  for (const path of await readdir(folder, { recursive: true })) modes.set(path, await modeOf(join(folder, path)))
  return modes
}

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8)

test('a folder that was open to others is closed, with all that is in it', async () => {
  const folder = join(root, 'data')
  await mkdir(join(folder, 'pg', 'base'), { recursive: true })
  await writeFile(join(folder, 'pg', 'base', '1'), 'x', { mode: 0o644 })
  await writeFile(join(folder, 'run.sh'), 'x')
  await chmod(join(folder, 'run.sh'), 0o777)
  makePrivate(folder)
  expect(await modesBelow(folder)).toEqual(
    new Map([
      ['.', '700'],
      ['pg', '700'],
      ['run.sh', '700'],
      [join('pg', 'base'), '700'],
      [join('pg', 'base', '1'), '600'],
    ]),
  )
})

test('what a link leads to is left as it is', async () => {
  await writeFile(join(root, 'elsewhere'), 'x', { mode: 0o644 })
  await mkdir(join(root, 'data'))
  await symlink(join(root, 'elsewhere'), join(root, 'data', 'link'))
  makePrivate(join(root, 'data'))
  expect(await modeOf(join(root, 'elsewhere'))).toBe('644')
})

test('whatever the umask, nobody else can read a file of the database, made before or while it is open', async () => {
  const folder = join(root, 'data')
  await mkdir(folder, { mode: 0o755 })
  const { db, close } = await openPglite(folder)
  await db.execute('create table later (id int)')
  await close()
  const modes = await modesBelow(folder)
  expect(modes.size).toBeGreaterThan(500)
  expect([...modes].filter(([, mode]) => !mode.endsWith('00'))).toEqual([])
})
