import { toCommandLine } from '@/server/base/env'
import { logOutput } from '@/server/base/logger'
import { runConsole } from '@/server/run/console'

logOutput().fd = 2
const { code, text, file } = await runConsole(process.argv.slice(2), toCommandLine('admin'))
// `process.exit` does not wait for a pipe, so each write is awaited.
const write = (output: NodeJS.WriteStream, data: string | Buffer) =>
  new Promise<void>((resolve) => output.write(data, () => resolve()))
await write(code === 0 && file === undefined ? process.stdout : process.stderr, `${text}\n`)
if (file) await write(process.stdout, file)
process.exit(code)
