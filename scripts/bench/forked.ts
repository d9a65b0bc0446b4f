import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs another file of this folder in a process of its own, so that it takes nothing from what is measured in this one. It is
 * no server's code: React without its browser's half would not load there.
 */
export function forked(file: string): ChildProcess {
  const execArgv = process.execArgv.filter((arg) => !arg.startsWith('--conditions'))
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv })
}
