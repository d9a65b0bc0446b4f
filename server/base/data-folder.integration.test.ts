import { spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programs } from '@/server/testing/program'
import { temporaryFolders } from '@/server/testing/folder'
import { openPglite } from './database'
import { FolderInUseError, lockFolder, makePrivate } from './data-folder'

const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0

const newFolder = temporaryFolders()
const run = programs()
let [folder, path] = ['', '']
beforeEach(() => {
  folder = newFolder()
  path = join(folder, 'folder.lock')
})

test('one at a time holds the folder; released, it is free', async () => {
  const unlock = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  await expect(lockFolder(path)).rejects.toThrow(`process ${process.pid} `)
  await unlock()
  await unlock()
  await expectFree()
})

test('another process holds it while it lives, is named, and leaves it free when it is killed', async () => {
  const { child, outcome, kill } = await start()
  expect(outcome).toBe('held')
  await expect(lockFolder(path)).rejects.toThrow(`process ${child.pid} `)
  await kill()
  await expectFree()
})

test('of many processes that start at the same moment exactly one gets it, also after a dead one', async () => {
  await (await start()).kill()
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => start()))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['held', ...Array(5).fill('refused')])
})

test.skipIf(!canUnshare)('two containers, in each of which it is process 1, exclude each other', async () => {
  const first = await start(CONTAINER)
  const second = await start(CONTAINER)
  expect([first.outcome, second.outcome]).toEqual(['held', 'refused'])
  expect(await readFile(`${path}.pid`, 'utf8')).toMatch(/^1 /)
  await first.kill()
  expect((await start(CONTAINER)).outcome).toBe('held')
})

test('a file system that takes no locks is reported as that, with what to do', async () => {
  const tryLock = () => {
    throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' })
  }
  const refused = lockFolder(path, async () => ({ tryLock }))
  await expect(refused).rejects.toThrow(/cannot be locked \(ENOLCK\).*DATA_DIR.*DATABASE_URL/)
  await expectFree()
})

async function expectFree(): Promise<void> {
  await (
    await lockFolder(path)
  )()
}

async function start(within: readonly string[] = []) {
  const holder = run(
    `import { lockFolder } from './server/base/data-folder.ts'
    const outcome = await lockFolder(process.argv[1]).then(() => 'held', (error) => error.name === 'FolderInUseError' ? 'refused' : String(error))
    console.log(outcome)
    setInterval(() => {}, 1000)`,
    { within, args: [path] },
  )
  return { ...holder, outcome: await holder.nextLine() }
}

describe('access to it', () => {
  let umask: number
  beforeEach(() => void (umask = process.umask(0o022)))
  afterEach(() => void process.umask(umask))

  async function modesBelow(top: string): Promise<Map<string, string>> {
    const modes = new Map([['.', await modeOf(top)]])
    for (const file of await readdir(top, { recursive: true })) modes.set(file, await modeOf(join(top, file)))
    return modes
  }

  const modeOf = async (file: string) => ((await lstat(file)).mode & 0o777).toString(8)

  test('a folder open to other users is made private, with all that is in it', async () => {
    const data = join(folder, 'data')
    await mkdir(join(data, 'pg', 'base'), { recursive: true })
    await writeFile(join(data, 'pg', 'base', '1'), 'x', { mode: 0o644 })
    await writeFile(join(data, 'run.sh'), 'x')
    await chmod(join(data, 'run.sh'), 0o777)
    makePrivate(data)
    expect(await modesBelow(data)).toEqual(
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
    await writeFile(join(folder, 'elsewhere'), 'x', { mode: 0o644 })
    await mkdir(join(folder, 'data'))
    await symlink(join(folder, 'elsewhere'), join(folder, 'data', 'link'))
    makePrivate(join(folder, 'data'))
    expect(await modeOf(join(folder, 'elsewhere'))).toBe('644')
  })

  test('whatever the umask, no other user can read a file of the database, made before or while it is open', async () => {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o755 })
    const { db, close } = await openPglite(data)
    await db.execute('create table later (id int)')
    await close()
    const modes = await modesBelow(data)
    expect(modes.size).toBeGreaterThan(500)
    expect([...modes].filter(([, mode]) => !mode.endsWith('00'))).toEqual([])
  })
})
