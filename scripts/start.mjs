import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { otherOwner } from './as-owner.mjs'
import { buildIfNeeded } from './build.mjs'
import { keepCompiled } from './compiled-code.mjs'
import { loadEnvFile } from './env-file.mjs'
import { printJson, tellFatal, wantsJson } from './log-lines.mjs'
import { placeNewDatabase } from './new-database.mjs'
import { runCommand } from './run-command.mjs'

// The same file that Next would read later: what is checked must be what is used.
loadEnvFile()
process.env.NODE_ENV = 'production'
process.env.NEXT_TELEMETRY_DISABLED = '1'
const { PORT = '', HOST = '', DATA_DIR } = process.env
const dataDir = DATA_DIR || '.data'

// The server itself says which settings are wrong, but not before a minute of building, nor where Next reads them first.
function checkSettings() {
  const status = runCommand('check-settings')
  if (status !== 0) process.exit(status)
}

// What root makes in it, its owner could not open at the next start.
const owner = otherOwner()
if (owner !== null) {
  console.error(
    `Intag does not start as root: the data folder ${dataDir} belongs to the user ${owner.uid}. Start Intag as that user, or give the folder to root (chown -R root).`,
  )
  process.exit(1)
}

if (!/^([1-9]\d{0,3}|[1-5]\d{4})?$/.test(PORT) || (HOST.trim() && isIP(HOST) === 0)) checkSettings()
const isJson = wantsJson(process.env, process.stdout.isTTY)
if (isJson) printJson()
const build = await built()

// What is made from here on is nobody else's to read.
process.umask(0o077)
if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) placeNewDatabase(dataDir, build)
keepCompiled(build, dataDir)

// Instrumentation closes what is open and then ends the process; Next alone would wait for live streams.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true'

const forgetFatal = isJson ? tellFatal() : () => {}

// Next says that it is ready before a setting was read. What it prints waits until the server is up: whoever has a setting
// wrong reads of that and nothing else, and whoever sits at a terminal is greeted by Intag in its place.
const print = process.stdout.write
const held = []
process.stdout.write = (...printed) => held.push(printed) > 0
globalThis[Symbol.for('intag.up')] = () => {
  forgetFatal()
  process.stdout.write = print
  for (const printed of held.splice(0)) if (isJson) process.stdout.write(...printed)
}

// In this very process, so that a signal to it, even kill -9, reaches the server and leaves no orphan. With the configuration as
// it was built: Next would read and check it anew, and the folder of a container has no more than this.
const { config } = JSON.parse(readFileSync(join(build, 'required-server-files.json'), 'utf8'))
Object.assign(process.env, { ['__NEXT_PRIVATE_STANDALONE_CONFIG']: JSON.stringify(config) })
// Proxies keep a connection for a minute; one that ends here meanwhile would fail the request for which it is used again.
const keepAliveTimeout = 75_000
const require = createRequire(import.meta.url)
require('next')
await require('next/dist/server/lib/start-server').startServer({
  dir: process.cwd(),
  isDev: false,
  hostname: HOST.trim() || undefined,
  port: Number(PORT || 3000),
  allowRetry: false,
  keepAliveTimeout,
})

async function built() {
  try {
    return await buildIfNeeded(checkSettings)
  } catch (error) {
    console.error(error.message)
    return process.exit(1)
  }
}
