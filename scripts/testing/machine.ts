import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Machine = ReturnType<typeof createMachine>

type MachineOptions = {
  name: string
  folder: string
  command: string
  args: string[]
  options?: SpawnOptions
  isReady: () => Promise<boolean>
}

/** The programs that run, which are killed when this process ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => signal(child, 'SIGKILL')))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))

const READY_MS = 60_000
const END_MS = 30_000

/** Starts and ends a program. `start` resolves when the program is ready; its log lies in `folder`. */
export function createMachine({ name, folder, command, args, options, isReady }: MachineOptions) {
  const log = join(folder, `${name}.log`)
  const readLog = () => readFileSync(log, 'utf8').slice(-3_000)
  const createError = (fault: string) => new Error(`${name} ${fault}:\n${readLog()}`)
  let child: ChildProcess | null = null

  return {
    name,
    pid: () => child?.pid ?? 0,
    readLog,
    async start() {
      const out = openSync(log, 'a', 0o666)
      const started = spawn(command, args, { ...options, detached: true, stdio: ['ignore', out, out] })
      child = started
      running.add(started)
      started.once('exit', () => running.delete(started))
      for (const end = performance.now() + READY_MS; performance.now() < end; await wait(50)) {
        if (!running.has(started)) throw createError('has ended')
        if (await isReady()) return
      }
      throw createError('is not ready after a minute')
    },
    /** Resolves when the program has ended, which must not have failed. */
    async end(signalName: NodeJS.Signals) {
      if (child === null || !running.has(child)) return
      const exited = once(child, 'exit').then(([code]) => ({ code }))
      signal(child, signalName)
      const exit = await Promise.race([exited, wait(END_MS, null, { ref: false })])
      // A program that a signal ends by itself has no exit code.
      if (exit?.code === (signalName === 'SIGKILL' ? null : 0)) return
      if (exit !== null) throw createError(`has ended with ${exit.code ?? 'no exit code'}`)
      signal(child, 'SIGKILL')
      throw createError(`still runs half a minute after ${signalName}`)
    },
  }
}

/** Signals the program, and by SIGKILL its children, too. */
function signal({ pid = 0 }: ChildProcess, name: NodeJS.Signals) {
  process.kill(name === 'SIGKILL' ? -pid : pid, name)
}
