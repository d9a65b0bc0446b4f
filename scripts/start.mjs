import { once } from 'node:events'
import { accessSync, constants, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { createServer, isIP } from 'node:net'
import { basename, join } from 'node:path'
import { otherOwner, runCommand } from './run-command.mjs'
import { buildIfNeeded } from './build.mjs'
import { loadEnvFile } from './env-file.mjs'
import { logFatal, printJson, wantsJson } from './log-lines.mjs'
import { placeNewDatabase } from './new-database.mjs'

try {
  loadEnvFile()
} catch (error) {
  refuse(error.message)
}
process.env.NODE_ENV = 'production'
process.env.NEXT_TELEMETRY_DISABLED = '1'
const { PORT = '', HOST = '', DATA_DIR } = process.env
const dataDir = DATA_DIR || '.data'

// Not after a minute of building, nor where Next reads them first.
function checkSettings() {
  const status = runCommand('check-settings')
  if (status !== 0) process.exit(status)
}

const owner = otherOwner()
if (owner !== null) {
  refuse(
    `Intag does not start as root: the data folder ${dataDir} belongs to the user ${owner.uid}. Start Intag as that user, or give the folder to root (chown -R root).`,
  )
}

if (!/^([1-9]\d{0,3}|[1-5]\d{4})?$/.test(PORT) || (HOST.trim() && isIP(HOST) === 0)) checkSettings()
const isJson = wantsJson(process.env, process.stdout.isTTY)
if (isJson) printJson()
const listening = { port: Number(PORT || 3000), host: HOST.trim() || undefined }
await requireFree(listening)
const build = await built()

process.umask(0o077)
if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) placeNewDatabase(dataDir, build)
keepCompiled()

// Instrumentation ends the process; Next alone would wait for live streams.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true'

const forgetFatal = isJson ? logFatal() : () => {}

// Without what Next prints: an operator sees either what is wrong with a setting or Intag's greeting.
const print = process.stdout.write
process.stdout.write = () => true
globalThis[Symbol.for('intag.up')] = () => {
  forgetFatal()
  process.stdout.write = print
}

// In this process, so that signals reach the server; with the configuration of the build, the only one in a container.
const { config } = JSON.parse(readFileSync(join(build, 'required-server-files.json'), 'utf8'))
Object.assign(process.env, { ['__NEXT_PRIVATE_STANDALONE_CONFIG']: JSON.stringify(config) })
// Longer than a proxy keeps a connection, so that none ends while it is used again.
const keepAliveTimeout = 75_000
const require = createRequire(import.meta.url)
require('next')
await require('next/dist/server/lib/start-server').startServer({
  dir: process.cwd(),
  isDev: false,
  hostname: listening.host,
  port: listening.port,
  allowRetry: false,
  keepAliveTimeout,
})

async function built() {
  try {
    return await buildIfNeeded(checkSettings)
  } catch (error) {
    return refuse(error.message)
  }
}

/** Next would show where in its code it failed, after a minute of building. */
async function requireFree({ port, host }) {
  const server = createServer().listen({ port, host })
  try {
    await once(server, 'listening')
  } catch ({ code }) {
    const other =
      'stop what listens there (Intag itself, perhaps), or set another PORT, also in NEXTAUTH_URL if it is there'
    const place = `${host === undefined ? '' : `${host}, `}port ${port}`
    refuse(
      `Intag cannot listen on ${place} (${code}): ${code === 'EADDRINUSE' ? `it is in use; ${other}` : 'see HOST and PORT'}.`,
    )
  }
  await once(server.close(), 'close')
}

/** Text for the operator, past what makes JSON of it; JSON where nothing else is wanted. */
function refuse(message) {
  if (process.env.LOG_FORMAT?.trim() === 'json') console.error(message)
  else writeSync(2, `${message}\n`)
  process.exit(1)
}

/** Half of a start was compiling Next: keeps the result beside the build, or, where that is read-only, the data. */
function keepCompiled() {
  if (isWritable(build)) module.enableCompileCache?.(join(build, 'compiled'))
  else if (isWritable(dataDir)) module.enableCompileCache?.(besideData(basename(build)))
  // Not every end of a process writes it.
  setTimeout(() => module.flushCompileCache?.(), 10_000).unref()
}

function besideData(kept) {
  const folder = join(dataDir, 'compiled')
  for (const name of namesIn(folder)) if (name !== kept) rmSync(join(folder, name), { recursive: true, force: true })
  return join(folder, kept)
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
