import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-lock-'))
  path = join(folder, 'pg.lock')
})
afterEach(() => rm(folder, { recursive: true }))

test('one at a time holds the folder; released, it is free and leaves nothing behind', async () => {
  const unlock = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  await expect(lockFolder(path)).rejects.toThrow(String(process.pid))
  await unlock()
  expect(await readdir(folder)).toEqual([])
  await expectTaken()
})

test('of many that start at the same moment exactly one gets it, also when a dead one left its lock', async () => {
  await writeFile(path, JSON.stringify({ pid: await deadPid(), startedAt: '1', token: 'old' }))
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a lock of a dead process, or one that nobody can read, is taken over', async () => {
  await writeFile(path, JSON.stringify({ pid: await deadPid(), startedAt: null, token: 'old' }))
  await expectTaken()
  await writeFile(path, '{"pid":')
  await expectTaken()
})

test.runIf(process.platform === 'linux')(
  'a process id that another program has by now does not hold the folder',
  async () => {
    await writeFile(path, JSON.stringify({ pid: process.ppid, startedAt: '1', token: 'old' }))
    await expectTaken()
  },
)

test('a live process whose start is unknown holds it', async () => {
  await writeFile(path, JSON.stringify({ pid: process.ppid, startedAt: null, token: 'theirs' }))
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
})

test('releasing leaves a lock alone that somebody else took meanwhile', async () => {
  const unlock = await lockFolder(path)
  await writeFile(path, JSON.stringify({ pid: process.ppid, startedAt: null, token: 'theirs' }))
  await unlock()
  expect(await readFile(path, 'utf8')).toContain('theirs')
})

async function expectTaken(): Promise<void> {
  const unlock = await lockFolder(path)
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid })
  await unlock()
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}
