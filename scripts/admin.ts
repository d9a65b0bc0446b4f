import { runAdmin } from './admin/run'

// `npm run admin -- COMMAND`, with the settings of `npm start` (`scripts/run-command.mjs` reads them).
const called = process.env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'intag admin'
const { code, out, err } = await runAdmin(process.argv.slice(2), called)
if (err !== '') process.stderr.write(`${err}\n`)
// A pipe takes its time, and the end of the process would not wait for it.
if (out !== '') await new Promise<void>((resolve) => process.stdout.write(`${out}\n`, () => resolve()))
process.exit(code)
