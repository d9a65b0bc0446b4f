import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock'

/** Namespaces of its own for processes: what a container is to a lock. */
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0

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
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => start()))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['held', ...Array(5).fill('refused')])
})

test('a dead holder that nobody has waited for yet holds it no more', async () => {
  const { child } = await start(['sh', '-c', '"$@" & exec sleep 60', 'sh'])
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  const [pid = 0] = (await readFile(`${path}.pid`, 'utf8')).split(' ').map(Number)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
  // Its last thread may still be on its way out.
  await expect.poll(() => expectFree().then(() => 'free', String)).toBe('free')
  await end(child)
})

test.skipIf(!canUnshare)('two containers, in each of which it is process 1, exclude each other', async () => {
  const first = await start(CONTAINER)
  const second = await start(CONTAINER)
  expect([first.outcome, second.outcome]).toEqual(['held', 'refused'])
  expect(await readFile(`${path}.pid`, 'utf8')).toMatch(/^1 /)
  await end(first.child)
  expect((await start(CONTAINER)).outcome).toBe('held')
})

test('a file system that takes no locks is told as that, with what to do', async () => {
  const tryLock = () => {
    throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' })
  }
  const refused = lockFolder(path, async () => ({ tryLock }))
  await expect(refused).rejects.toThrow(/cannot be locked \(ENOLCK\).*DATA_DIR.*DATABASE_URL/)
  await expectFree()
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
async function start(within: readonly string[] = []): Promise<{ child: ChildProcess; outcome: string }> {
  const program = `
    import { lockFolder } from './server/db/folder-lock.ts'
    const outcome = await lockFolder(process.argv[1]).then(() => 'held', (error) => error.name === 'FolderInUseError' ? 'refused' : String(error))
    console.log(outcome)
    setInterval(() => {}, 1000)`
  const node = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', program, path]
  const [command = '', ...args] = [...within, process.execPath, ...node]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [outcome] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, outcome: String(outcome) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
