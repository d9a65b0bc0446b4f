import { runAdmin } from './admin/run'

const called = process.env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'intag admin'
const { code, out, err } = await runAdmin(process.argv.slice(2), called)
if (err !== '') process.stderr.write(`${err}\n`)
// The end of the process would not wait for a pipe.
if (out !== '') await new Promise<void>((resolve) => process.stdout.write(`${out}\n`, () => resolve()))
process.exit(code)
