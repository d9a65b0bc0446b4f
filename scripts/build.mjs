import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder, canBuild, isWhole, NOT_BUILT, removeOldBuilds, wholeMark } from './builds.mjs'
import { makeNewDatabase } from './new-database.mjs'
import { makeStandalone } from './standalone.mjs'

/**
 * Builds the app unless these very sources were built before, and answers the build's folder. A build of other sources, and who
 * runs from it, is left alone. Rejects when it fails, or when what builds is not installed.
 */
export async function buildIfNeeded(beforeBuild = () => {}) {
  const folder = buildFolder()
  if (isWhole(folder)) return folder
  if (!canBuild()) throw new Error(NOT_BUILT)
  beforeBuild()
  console.log('Building Intag …')
  // Types of routes that are gone would fail the build.
  for (const old of ['.next/dev', folder]) rmSync(old, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeTypesConfig(folder)
  await run(folder, 'node_modules/next/dist/bin/next', 'build')
  await run(folder, 'scripts/bundle-commands.mjs', folder)
  makeNewDatabase(folder)
  removeUnread(folder)
  writeFileSync(wholeMark(folder), '')
  removeOldBuilds()
  return folder
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Whoever ends this process ends what builds, too. */
async function run(folder, ...command) {
  const settings = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', INTAG_BUILD: folder }
  const builder = spawn(process.execPath, command, { stdio: 'inherit', env: { ...process.env, ...settings } })
  let ended = null
  const end = (signal) => builder.kill((ended = signal))
  for (const signal of SIGNALS) process.on(signal, end)
  const [status] = await once(builder, 'exit')
  for (const signal of SIGNALS) process.off(signal, end)
  if (ended !== null) process.kill(process.pid, ended)
  if (status !== 0) throw new Error('The build failed; its message stands above.')
}

/** Next would write the folder of its types into the `tsconfig.json` that it is given, unless that extends another. */
function writeTypesConfig(folder) {
  const include = [join(relative('.next', folder), 'types/**/*.ts'), '../next-env.d.ts', '../**/*.ts', '../**/*.tsx']
  const config = { extends: '../tsconfig.json', include, exclude: ['../node_modules'] }
  writeFileSync('.next/tsconfig.json', JSON.stringify(config))
}

/** Three quarters of what was written: what only another build would read, and maps of code that is sent to nobody. */
function removeUnread(folder) {
  rmSync(join(folder, 'cache'), { recursive: true, force: true })
  for (const name of readdirSync(join(folder, 'server'), { recursive: true }))
    if (name.endsWith('.map')) rmSync(join(folder, 'server', name))
}

// npm run build, and with `-- --standalone` the folder that containers run (`scripts/standalone.mjs`).
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const folder = await buildIfNeeded()
    if (process.argv.includes('--standalone')) await makeStandalone(folder)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
