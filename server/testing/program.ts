import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach } from 'vitest'

type Options = { args?: readonly string[]; within?: readonly string[]; env?: NodeJS.ProcessEnv }

/** Returns a function that runs TypeScript in its own process, `within` another command. No process outlives its test. */
export function programs() {
  const children: ChildProcess[] = []
  afterEach(() => Promise.all(children.splice(0).map(kill)))
  return (source: string, { args = [], within = [], env = process.env }: Options = {}) => {
    const node = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', source, ...args]
    const [command = '', ...rest] = [...within, process.execPath, ...node]
    const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const lines: string[] = []
    const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    return {
      child,
      lines,
      nextLine: async () => String((await once(output, 'line'))[0]),
      ended: once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended),
      kill: () => kill(child),
    }
  }
}

type Ended = { code: number | null; signal: NodeJS.Signals | null }

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
