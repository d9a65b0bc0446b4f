import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This folder runs by itself: it has Next's standalone server, and what the scripts and the server read. */
export const STANDALONE = '.next/standalone'
/** The server is in the working directory inside a container, otherwise in the standalone folder. */
export const SERVER_FOLDER = fs.existsSync('server.js') ? '.' : STANDALONE

const SOURCES = ['app', 'components', 'lib', 'server', 'reference-service', 'public']
const CONFIGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'next.config.mjs', 'postcss.config.mjs']
const COMMANDS = ['admin.ts', 'setup.ts', 'check-settings.ts', 'bundle-commands.mjs'].map((name) => `scripts/${name}`)
const SCRIPTS = ['build', 'env-file', 'run-command', 'start'].map((name) => `scripts/${name}.mjs`)
const DOCUMENTS = ['docs/help.sv.md', 'docs/help.en.md', 'PRIVACY.md', 'PRIVACY.sv.md', 'SECURITY.md', 'LICENSE']
const FILES = [...CONFIGS, 'proxy.ts', 'instrumentation.ts', 'deploy/intag', ...COMMANDS, ...SCRIPTS, ...DOCUMENTS]
/** Next's tracer does not see that these packages find native files at run time. */
const ADDONS = 'fs-native-extensions require-addon which-runtime bare-addon-resolve bare-module-resolve bare-semver'
const BUILDING = '.next/building'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

export const NOT_BUILT = `There is no build of these sources, and what builds is not installed (npm ci --omit=dev).
Run npm ci && npm run build, or bring the folder .next from where the very same files were built.`

/** Returns whether there is a build of exactly these sources, or any build where there are none, as in a container. */
export function isBuilt() {
  const stamp = join(SERVER_FOLDER, 'stamp')
  return fs.existsSync(stamp) && (!fs.existsSync('app') || fs.readFileSync(stamp, 'utf8') === digestSources())
}

export function canBuild() {
  try {
    return ['esbuild', 'tsx', 'typescript'].every((name) => import.meta.resolve(name))
  } catch {
    return false
  }
}

/** The new build replaces the old one by renaming, once it is complete. `check` runs before a build. */
export async function buildIfNeeded(check = () => {}) {
  if (isBuilt()) return
  if (!canBuild()) throw new Error(NOT_BUILT)
  check()
  console.log('Building Intag, once for these sources: about a minute on two cores …')
  // Types left over from deleted routes would fail the type check.
  for (const old of ['.next/dev', BUILDING]) fs.rmSync(old, { recursive: true, force: true })
  fs.mkdirSync(BUILDING, { recursive: true })
  // Next writes its types' folder into a `tsconfig.json` that extends no other, so the build has one of its own.
  const include = ['building/types/**/*.ts', '../next-env.d.ts', '../**/*.ts', '../**/*.tsx']
  const typesConfig = { extends: '../tsconfig.json', include, exclude: ['../node_modules'] }
  fs.writeFileSync('.next/tsconfig.json', JSON.stringify(typesConfig))
  const digest = digestSources()
  const built = join(BUILDING, 'standalone')
  const settings = { INTAG_BUILD: BUILDING, INTAG_BUILD_ID: digest.slice(0, 16) }
  await run(['node_modules/next/dist/bin/next', 'build'], settings)
  // Paths built at run time mislead Next's tracer into copying our sources, and it copies .env.
  const output = new Set(['.next', 'node_modules', 'server.js', 'package.json'])
  for (const name of fs.readdirSync(built)) if (!output.has(name)) fs.rmSync(join(built, name), { recursive: true })
  // Packages that are copied whole bring their tests.
  const packages = join(built, 'node_modules')
  for (const name of fs.readdirSync(packages)) fs.rmSync(join(packages, name, 'test'), { recursive: true, force: true })
  // `type: module` is removed, because Next's server.js is CommonJS.
  const { type: _, ...fields } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  fs.writeFileSync(join(built, 'package.json'), JSON.stringify(fields, null, 2))
  await run(['scripts/bundle-commands.mjs', built])
  const addons = ADDONS.split(' ').map((name) => `node_modules/${name}`)
  const copied = ['public', 'server/base/migrations', ...DOCUMENTS, ...SCRIPTS, ...addons, `${BUILDING}/static`]
  for (const path of copied) fs.cpSync(path, join(built, path), { recursive: true, verbatimSymlinks: true })
  fs.cpSync('deploy/intag', join(built, 'intag'))
  fs.writeFileSync(join(built, 'stamp'), digest)
  fs.rmSync(STANDALONE, { recursive: true, force: true })
  fs.renameSync(built, STANDALONE)
  fs.rmSync(BUILDING, { recursive: true, force: true })
}

/** Runs a Node script and shows its output only if it fails. A signal ends both processes. */
async function run(args, settings = {}) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...settings }
  const builder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  for (const stream of [builder.stdout, builder.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const end = (signal) => {
    builder.kill(signal)
    process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  const [status] = await once(builder, 'close')
  for (const signal of SIGNALS) process.off(signal, end)
  if (status !== 0) throw new Error(`${output}\nThe build failed; its message stands above.`)
}

function digestSources() {
  return digestFiles([...FILES, ...SOURCES], /\.(test\.tsx?|d\.json\.ts)$/)
}

/** Digests files and folders, except paths that match. It is the same on every version of Node and on every machine. */
export function digestFiles(paths, excluded) {
  const hash = createHash('sha256')
  const files = paths.filter(fs.existsSync).flatMap(listFiles)
  for (const path of files.filter((file) => !excluded.test(file)).sort())
    hash.update(path).update('\0').update(fs.readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function listFiles(path) {
  if (!fs.statSync(path).isDirectory()) return [path]
  return fs
    .readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildIfNeeded()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
