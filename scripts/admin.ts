import { logOutput } from '@/server/base/logger'
import { runConsole } from '@/server/run/console'

// Standard output has the result alone.
logOutput().fd = 2
const { exitCode, text, backup } = await runConsole(process.argv.slice(2))
// `process.exit` does not wait for a pipe, so each write is awaited.
const write = (output: NodeJS.WriteStream, data: string | Buffer) =>
  new Promise<void>((resolve) => output.write(data, () => resolve()))
await write(exitCode === 0 && backup === undefined ? process.stdout : process.stderr, `${text}\n`)
if (backup) await write(process.stdout, backup)
process.exit(exitCode)
