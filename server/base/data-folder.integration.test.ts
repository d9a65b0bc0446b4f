import { spawnSync } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { programs } from '@/server/testing/program'
import { lockFolder } from './data-folder'
import { openPglite } from './database'
import { placePglite } from './testing/in-memory'

const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0

const newFolder = temporaryFolders()
const run = programs()
let folder = ''
beforeEach(() => {
  folder = newFolder()
})

test('of many processes that start at the same moment exactly one gets it, also after a dead one', async () => {
  await (await start()).kill()
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => start()))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([...Array(5).fill('FolderInUseError'), 'held'])
})

test.skipIf(!canUnshare)('two containers, in each of which it is process 1, exclude each other', async () => {
  const first = await start(CONTAINER)
  const second = await start(CONTAINER)
  expect([first.outcome, second.outcome]).toEqual(['held', 'FolderInUseError'])
  await first.kill()
  // The container's own process ends a moment later.
  await expect.poll(async () => (await start(CONTAINER)).outcome).toBe('held')
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
  const unlock = await lockFolder(folder)
  await unlock()
}

async function start(within: readonly string[] = []) {
  const holder = run(
    `import { lockFolder } from './server/base/data-folder.ts'
    console.log(await lockFolder(process.argv[1]).then(() => 'held', ({ name }) => name))
    setInterval(() => {}, 1000)`,
    { within, args: [folder] },
  )
  return { ...holder, outcome: await holder.nextLine() }
}

test('whatever the umask, no other user gets at the folder, made before or while it is open', async () => {
  const umask = process.umask(0o022)
  onTestFinished(() => void process.umask(umask))
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o755 })
  await placePglite(data)
  const { db, close } = await openPglite(data)
  expect(await modeOf(data)).toBe('700')
  await db.execute('create table later (id int)')
  await close()
  expect(await modeOf(data)).toBe('700')
})
