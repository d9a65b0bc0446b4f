import { writeSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfNeeded, SERVER_FOLDER } from './build.mjs'
import { loadSettings } from './env-file.mjs'
import { runCommand } from './run-command.mjs'

try {
  loadSettings(process.argv.slice(2))
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
// Compiling Next takes half of a start, so compiled code is cached beside the build, unless that is read-only.
module.enableCompileCache?.(join(SERVER_FOLDER, 'compiled'))

process.env.HOSTNAME = process.env.HOST?.trim() || '0.0.0.0'
// A proxy keeps its connections for a minute. Ours last longer, so that it never reuses one that is closing.
process.env.KEEP_ALIVE_TIMEOUT = '75000'
// Next's own handlers would wait for live streams, so `server/run/shutdown.ts` ends the process.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true'
// The server runs in this process, so that signals reach it. The working directory, which it changes, is changed back,
// because settings name paths relative to it.
const workingDirectory = process.cwd()
await import(pathToFileURL(resolve(SERVER_FOLDER, 'server.js')).href)
process.chdir(workingDirectory)
