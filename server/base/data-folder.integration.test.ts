import { spawnSync } from 'node:child_process'
import { mkdir, readFile, stat } from 'node:fs/promises'
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
let folder = ''
beforeEach(() => {
  folder = newFolder()
})

test('one at a time holds the folder; released, it is free', async () => {
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError)
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid} `)
  await unlock()
  await unlock()
  await expectFree()
})

test('another process holds it while it lives, is named, and leaves it free when it is killed', async () => {
  const { child, outcome, kill } = await start()
  expect(outcome).toBe('held')
  await expect(lockFolder(folder)).rejects.toThrow(`process ${child.pid} `)
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
  expect(await readFile(join(folder, 'folder.lock.pid'), 'utf8')).toMatch(/^1 /)
  await first.kill()
  expect((await start(CONTAINER)).outcome).toBe('held')
})

test('a file system that takes no locks is reported as that, with what to do', async () => {
  const tryLock = () => {
    throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' })
  }
  const refused = lockFolder(folder, async () => ({ tryLock }))
  await expect(refused).rejects.toThrow(/cannot be locked \(ENOLCK\).*DATA_DIR.*DATABASE_URL/)
  await expectFree()
})

async function expectFree(): Promise<void> {
  await (
    await lockFolder(folder)
  )()
}

async function start(within: readonly string[] = []) {
  const holder = run(
    `import { lockFolder } from './server/base/data-folder.ts'
    const outcome = await lockFolder(process.argv[1]).then(() => 'held', (error) => error.name === 'FolderInUseError' ? 'refused' : String(error))
    console.log(outcome)
    setInterval(() => {}, 1000)`,
    { within, args: [folder] },
  )
  return { ...holder, outcome: await holder.nextLine() }
}

describe('access to it', () => {
  let umask: number
  beforeEach(() => void (umask = process.umask(0o022)))
  afterEach(() => void process.umask(umask))

  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

  test('a folder open to other users is made private', async () => {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o755 })
    makePrivate(data)
    expect(await modeOf(data)).toBe('700')
  })

  test('whatever the umask, no other user gets at the database, made before or while it is open', async () => {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o755 })
    const { db, close } = await openPglite(data)
    await db.execute('create table later (id int)')
    expect(await modeOf(data)).toBe('700')
    await close()
    expect(await modeOf(data)).toBe('700')
  })
})
