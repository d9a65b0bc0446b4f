import { runConsole } from '@/server/run/console'
import { toCommandLine } from '@/server/base/env'
import { logOutput } from '@/server/base/logger'

logOutput().fd = 2
const { code, text, file } = await runConsole(process.argv.slice(2), toCommandLine('admin'))
// The end of the process would not wait for a pipe.
const written = (output: NodeJS.WriteStream, data: string | Buffer) =>
  new Promise<void>((resolve) => output.write(data, () => resolve()))
await written(code === 0 && file === undefined ? process.stdout : process.stderr, `${text}\n`)
if (file) await written(process.stdout, file)
process.exit(code)
