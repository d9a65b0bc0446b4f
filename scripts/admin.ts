import { runAdmin } from '@/server/run/run'
import { calledAs } from '@/server/base/env'
import { logOutput } from '@/server/base/logger'
import { setup } from './setup'

logOutput().fd = 2
const { code, out, err } = await runAdmin(process.argv.slice(2), calledAs('admin'), [setup])
if (err !== '') process.stderr.write(`${err}\n`)
// The end of the process would not wait for a pipe.
if (out !== '') await new Promise<void>((resolve) => process.stdout.write(`${out}\n`, () => resolve()))
process.exit(code)
