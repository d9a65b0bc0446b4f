import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Machine = ReturnType<typeof createMachine>

type Command = { command: string; args: string[]; options?: SpawnOptions }
type MachineOptions = { name: string; folder: string; launch: () => Command; isReady: () => Promise<boolean> }

/** An aborted run leaves nothing behind. */
const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const { pid, exitCode, signalCode } of started) {
    if (exitCode === null && signalCode === null) signalFamily(pid, 'SIGKILL')
  }
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const READY_MS = 60_000
const END_MS = 30_000
const LAST_CHARACTERS = 3_000

export function createMachine({ name, folder, launch, isReady }: MachineOptions) {
  let running: ChildProcess | null = null
  const log = join(folder, `${name}.log`)
  const isRunning = () => running !== null && running.exitCode === null && running.signalCode === null
  const printed = () => readFileSync(log, 'utf8').slice(-LAST_CHARACTERS)

  async function ended(child: ChildProcess): Promise<boolean> {
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    if (!isOver()) await Promise.race([once(child, 'exit'), wait(END_MS, undefined, { ref: false })])
    return isOver()
  }

  return {
    name,
    pid: () => running?.pid,
    async start(): Promise<void> {
      const { command, args, options } = launch()
      const out = openSync(log, 'a', 0o666)
      const child = spawn(command, args, { ...options, stdio: ['ignore', out, out] })
      running = child
      started.add(child)
      const until = performance.now() + READY_MS
      while (performance.now() < until) {
        if (!isRunning()) throw new Error(`${name} has ended:\n${printed()}`)
        if (await isReady()) return
        await wait(50)
      }
      throw new Error(`${name} is not ready after a minute:\n${printed()}`)
    },
    async end(signal: NodeJS.Signals): Promise<void> {
      if (running === null || !isRunning()) return
      if (signal === 'SIGKILL') signalFamily(running.pid, signal)
      else running.kill(signal)
      if (await ended(running)) return
      signalFamily(running.pid, 'SIGKILL')
      throw new Error(`${name} still runs half a minute after ${signal}:\n${printed()}`)
    },
  }
}

function signalFamily(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  for (const child of childrenOf(pid)) signalFamily(child, signal)
  try {
    process.kill(pid, signal)
  } catch {}
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}
