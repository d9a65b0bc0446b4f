import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock'

let folder: string
let path: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-lock-'))
  path = join(folder, 'folder.lock')
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(end))
  await rm(folder, { recursive: true })
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
  const { child, outcome } = await start()
  expect(outcome).toBe('held')
  await expect(lockFolder(path)).rejects.toThrow(`process ${child.pid} `)
  await end(child)
  await expectFree()
})

test('a holder that is stopped still holds it', async () => {
  const { child } = await start()
  child.kill('SIGSTOP')
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
})

test('of many processes that start at the same moment exactly one gets it, also after a dead one', async () => {
  const { child } = await start()
  await end(child)
  const outcomes = await Promise.all(Array.from({ length: 6 }, start))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['held', ...Array(5).fill('refused')])
})

test('what a dead holder wrote about itself holds nobody up', async () => {
  await writeFile(`${path}.pid`, String(process.ppid))
  await expectFree()
})

async function expectFree(): Promise<void> {
  await (
    await lockFolder(path)
  )()
}

/** A process of its own that tries to take the lock, and keeps it if it does. */
async function start(): Promise<{ child: ChildProcess; outcome: string }> {
  const program = `
    import { lockFolder } from './server/db/folder-lock.ts'
    const outcome = await lockFolder(process.argv[1]).then(() => 'held', (error) => error.name === 'FolderInUseError' ? 'refused' : String(error))
    console.log(outcome)
    setInterval(() => {}, 1000)`
  const child = spawn(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', program, path],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.push(child)
  const [outcome] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, outcome: String(outcome) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
