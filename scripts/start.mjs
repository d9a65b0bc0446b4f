import { writeSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfNeeded, HOME } from './build.mjs'
import { loadEnvFile, takeEnvFile } from './env-file.mjs'
import { runCommand } from './run-command.mjs'

try {
  takeEnvFile(process.argv.slice(2))
  loadEnvFile()
  process.env.NODE_ENV = 'production'
  // Wrong settings are reported before a minute of building.
  await buildIfNeeded(() => {
    const status = runCommand('check-settings')
    if (status !== 0) process.exit(status)
  })
} catch (error) {
  writeSync(2, `${error.message}\n`)
  process.exit(1)
}

process.umask(0o077)
// Half of a start was compiling Next. Where the build is read-only, nothing is kept.
module.enableCompileCache?.(join(HOME, 'compiled'))

process.env.HOSTNAME = process.env.HOST?.trim() || '0.0.0.0'
// Longer than a proxy keeps a connection, so that none ends while it is used again.
process.env.KEEP_ALIVE_TIMEOUT = '75000'
// Instrumentation ends the process; Next alone would wait for live streams.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true'
// In this process, so that signals reach the server. It changes into its own folder, but settings name paths from here.
const here = process.cwd()
await import(pathToFileURL(resolve(HOME, 'server.js')).href)
process.chdir(here)
