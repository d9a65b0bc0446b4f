import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { buildIfNeeded } from './build.mjs'
import { printJson, tellFatal, wantsJson } from './log-lines.mjs'
import { placeNewDatabase } from './new-database.mjs'

// The same file that Next would read later: what is checked must be what is used.
if (existsSync('.env')) process.loadEnvFile('.env')
process.env.NODE_ENV = 'production'
process.env.NEXT_TELEMETRY_DISABLED = '1'

// The server itself says which settings are wrong, but not before a minute of building, nor where Next reads them first.
function checkSettings() {
  const check = ['--conditions=react-server', '--import', 'tsx', 'scripts/check-settings.ts']
  const { status } = spawnSync(process.execPath, check, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!/^([1-9]\d{0,3}|[1-5]\d{4})?$/.test(process.env.PORT ?? '')) checkSettings()
try {
  buildIfNeeded(checkSettings)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

// What is made from here on is nobody else's to read.
process.umask(0o077)
if (!process.env.DATABASE_URL) placeNewDatabase(process.env.DATA_DIR || '.data')

// Next is much code, and half of a start was compiling it. Written soon, because not every end of a process lets it write.
module.enableCompileCache?.('.next/cache/compiled')
setTimeout(() => module.flushCompileCache?.(), 10_000).unref()

// Instrumentation closes what is open and then ends the process; Next alone would wait for live streams.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true'

const forgetFatal = wantsJson(process.env, process.stdout.isTTY) ? (printJson(), tellFatal()) : () => {}

// Next says that it is ready before a setting was read. What it prints waits until the server is up: whoever has a setting
// wrong reads of that and nothing else.
const print = process.stdout.write
const held = []
process.stdout.write = (...printed) => held.push(printed) > 0
globalThis[Symbol.for('intag.up')] = () => {
  forgetFatal()
  process.stdout.write = print
  for (const printed of held.splice(0)) process.stdout.write(...printed)
}

// In this very process, so that a signal to it, even kill -9, reaches the server and leaves no orphan.
// Proxies keep a connection for a minute; one that ends here meanwhile would fail the request for which it is used again.
const KEEP_ALIVE_MS = '75000'
process.argv.splice(
  2,
  process.argv.length,
  'start',
  '--keepAliveTimeout',
  KEEP_ALIVE_MS,
  '--port',
  process.env.PORT || '3000',
)
await import('next/dist/bin/next')
