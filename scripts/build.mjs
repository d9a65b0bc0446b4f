import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFolder, canBuild, isWhole, NOT_BUILT, removeOldBuilds, wholeMark } from './builds.mjs'
import { makeNewDatabase } from './new-database.mjs'
import { makeStandalone } from './standalone.mjs'

/** Unless these sources were built before. Other builds, and servers running from them, stay untouched. */
export async function buildIfNeeded(beforeBuild = () => {}) {
  const folder = buildFolder()
  if (isWhole(folder)) return folder
  if (!canBuild()) throw new Error(NOT_BUILT)
  beforeBuild()
  // Types of routes that are gone would fail the check of types.
  for (const old of ['.next/dev', folder]) rmSync(old, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeTypesConfig(folder)
  const beside = `${folder}.beside`
  const progress = showProgress()
  try {
    // In parallel: Next leaves a part of the second core idle.
    await Promise.all([
      run(folder, 'node_modules/next/dist/bin/next', ['build'], progress.heard),
      run(folder, 'scripts/bundle-commands.mjs', [beside]),
      makeNewDatabase(beside),
    ])
    for (const name of readdirSync(beside)) renameSync(join(beside, name), join(folder, name))
  } finally {
    progress.end()
    rmSync(beside, { recursive: true, force: true })
  }
  rmSync(join(folder, 'cache'), { recursive: true, force: true })
  writeFileSync(wholeMark(folder), '')
  removeOldBuilds()
  return folder
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

async function run(folder, command, args, heard = () => {}) {
  const settings = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', INTAG_BUILD: folder }
  const stdio = ['ignore', 'pipe', 'pipe']
  const builder = spawn(process.execPath, [command, ...args], { stdio, env: { ...process.env, ...settings } })
  let said = ''
  for (const stream of [builder.stdout, builder.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
      heard(said)
    })
  let ended = null
  const end = (signal) => builder.kill((ended = signal))
  for (const signal of SIGNALS) process.on(signal, end)
  const [status] = await once(builder, 'close')
  for (const signal of SIGNALS) process.off(signal, end)
  if (ended !== null) process.kill(process.pid, ended)
  if (status !== 0) throw new Error(`${said}\nThe build failed; its message stands above.`)
}

/** Next would write its types' folder into `tsconfig.json`, unless that extends another. */
function writeTypesConfig(folder) {
  const include = [join(relative('.next', folder), 'types/**/*.ts'), '../next-env.d.ts', '../**/*.ts', '../**/*.tsx']
  const config = { extends: '../tsconfig.json', include, exclude: ['../node_modules'] }
  writeFileSync('.next/tsconfig.json', JSON.stringify(config))
}

const STEPS = [
  ['starting', /^/],
  ['compiling, the longest of the four', /Creating an optimized production build/],
  ['reading the pages', /Compiled successfully/],
  ['finishing', /Finalizing page optimization/],
]

/** On a terminal one line with the step and the seconds; elsewhere a line for each step. */
function showProgress() {
  const startedAt = Date.now()
  let step = 0
  const words = () => `  ${step + 1} of ${STEPS.length}: ${STEPS[step][0]}`
  const isTerminal = process.stdout.isTTY
  const draw = () => process.stdout.write(`\r\u001b[K${words()} … ${Math.round((Date.now() - startedAt) / 1000)} s`)
  console.log('Building Intag, once for these sources: about a minute on two cores …')
  if (!isTerminal) console.log(words())
  const timer = isTerminal ? setInterval(draw, 250) : undefined
  return {
    heard(said) {
      while (step + 1 < STEPS.length && STEPS[step + 1][1].test(said)) {
        step += 1
        if (!isTerminal) console.log(words())
      }
    },
    end() {
      clearInterval(timer)
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      console.log(`${isTerminal ? '\r\u001b[K' : ''}  ended after ${seconds} s`)
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const folder = await buildIfNeeded()
    if (process.argv.includes('--standalone')) await makeStandalone(folder)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
