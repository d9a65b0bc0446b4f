import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock'
import { holdSocket } from './folder-socket'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-sock-'))
  path = join(folder, 'folder.lock')
})
afterEach(() => rm(folder, { recursive: true }))

test('one at a time holds it; let go, it is free and nothing is left', async () => {
  const release = await holdSocket(path)
  expect(await holdSocket(path)).toBeNull()
  await release?.()
  const again = await holdSocket(path)
  expect(again).not.toBeNull()
  await again?.()
  await again?.()
  expect(await readdir(folder)).toEqual([])
})

test('of many at one moment at most one gets it, and one alone gets it afterwards', async () => {
  const held = (await Promise.all(Array.from({ length: 6 }, () => holdSocket(path)))).filter((one) => one !== null)
  expect(held.length).toBeLessThan(2)
  for (const release of held) await release()
  expect(await holdSocket(path)).not.toBeNull()
})

test('what a killed process left behind holds nobody up', async () => {
  const left = join(folder, 'folder.lock.dead.sock')
  const program = `require('node:net').createServer().listen(${JSON.stringify(left)}, () => console.log('listens'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  expect(await holdSocket(path)).toBeNull()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await readdir(folder)).toEqual(['folder.lock.dead.sock'])
  const release = await holdSocket(path)
  expect(release).not.toBeNull()
  await release?.()
  expect(await readdir(folder)).toEqual([])
})

test('a process of an older Node, which has the socket alone, and one of a newer shut each other out', async () => {
  const older = await holdSocket(path)
  await expect(lockFolder(path)).rejects.toThrow('in use')
  await older?.()
  const unlock = await lockFolder(path)
  expect(await holdSocket(path)).toBeNull()
  await unlock()
})

test('a path that is too long for a socket is refused here, and still locked where Node has SQLite', async () => {
  const long = join(folder, 'x'.repeat(120))
  await expect(holdSocket(long)).rejects.toThrow('no room for a socket')
  const unlock = await lockFolder(long)
  await expect(lockFolder(long)).rejects.toThrow('in use')
  await unlock()
})
