import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ONLY_BUILD } from './builds.mjs'

export const STANDALONE = '.next/standalone'

/** What the server reads by name, beside what its code asks for. */
const READ = [
  'public',
  'server/db/migrations',
  'docs/help.sv.md',
  'docs/help.en.md',
  'PRIVACY.md',
  'PRIVACY.sv.md',
  'SECURITY.md',
  'LICENSE',
]
const SCRIPTS = [
  'as-owner',
  'build',
  'builds',
  'compiled-code',
  'env-file',
  'log-lines',
  'new-database',
  'run-command',
  'standalone',
  'start',
]
/** Packages that find their own files by the machine they run on, which no tracer sees. */
const WHOLE = [
  'fs-native-extensions',
  'require-addon',
  'which-runtime',
  'bare-addon-resolve',
  'bare-module-resolve',
  'bare-semver',
]
/** Of those for other systems a server has no use. */
const OTHER_SYSTEMS = /prebuilds\/(android|darwin|ios|win32)/
/** Of the build, what a server runs, sends or starts from. */
const BUILT = ['server', 'static', 'commands', 'new-database.gz', 'whole']
/** What never runs in production. Nothing makes pictures smaller (`images` in `next.config.mjs`): what would is the largest of all. */
const NEVER_RUN =
  /node_modules\/(sharp|@img|[^/]+\/test)\/|\.(map|d\.ts|dev\.js|development\.js)$|\/next\/dist\/(docs|compiled\/(webpack|next-devtools))\//

/** A folder that runs by itself: the build with every file that it asks for, and nothing else. Secrets are none of them. */
export async function makeStandalone(build) {
  rmSync(STANDALONE, { recursive: true, force: true })
  const files = [...tracedFiles(build), ...requiredFiles(build), ...(await startFiles())].filter(
    (file) => !NEVER_RUN.test(file),
  )
  const named = [
    ...READ,
    ...WHOLE.map((name) => join('node_modules', name)),
    ...SCRIPTS.map((name) => `scripts/${name}.mjs`),
    ...BUILT.map((name) => join(build, name)),
  ]
  const missing = READ.filter((file) => !existsSync(file))
  if (missing.length > 0) throw new Error(`What the server reads is not here: ${missing.join(', ')}`)
  for (const file of [...new Set(files), ...named]) copy(file)
  cpSync('deploy/intag', join(STANDALONE, 'intag'))
  shareChunks(join(STANDALONE, build, 'server/chunks'))
  writeFileSync(join(STANDALONE, ONLY_BUILD), build)
  writePackage()
  console.log(`${STANDALONE} has ${Math.round(sizeOf(STANDALONE) / 1e6)} MB.`)
}

/** Turbopack writes the same code for each route anew, under another name: the first of them stays, the others ask for it. */
function shareChunks(folder) {
  const first = new Map()
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!name.endsWith('.js') || statSync(file).size < SHARED_FROM) continue
    const code = readFileSync(file, 'utf8')
    if (!code.startsWith('module.exports=[')) continue
    const is = code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')
    const known = first.get(is)
    if (known === undefined) first.set(is, file)
    else writeFileSync(file, `module.exports=require(${JSON.stringify(`./${relative(dirname(file), known)}`)})\n`)
  }
}

/** Bytes: of less it is not worth a file that asks for another. */
const SHARED_FROM = 20_000

/** What Next traced from each page, route and the server itself, as paths from here. */
function tracedFiles(build) {
  const traces = readdirSync(build, { recursive: true }).filter((name) => name.endsWith('.nft.json'))
  return traces.flatMap((name) => {
    const trace = join(build, name)
    const { files } = JSON.parse(readFileSync(trace, 'utf8'))
    return files.map((file) => relative('.', join(dirname(trace), file))).filter((file) => !isOurs(file))
  })
}

/** What starts Next, as Next itself traces it; it does so only for a folder that it would put together in its own way. */
async function startFiles() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  const begins = ['next', 'lib/start-server', 'require-hook'].map((name) => `node_modules/next/dist/server/${name}.js`)
  const { fileList } = await nodeFileTrace(begins, { mixedModules: true, ignore: (file) => NEVER_RUN.test(file) })
  return [...fileList].filter((file) => !isOurs(file))
}

/** Our own files are in the build; a path that is put together at run time makes the tracer take whatever lies about. */
function isOurs(file) {
  return !file.startsWith('node_modules/') && !file.startsWith('.next/')
}

function requiredFiles(build) {
  const { files } = JSON.parse(readFileSync(join(build, 'required-server-files.json'), 'utf8'))
  return [...files, join(build, 'required-server-files.json')]
}

/** Links among the packages stay links. */
function copy(file) {
  if (!existsSync(file)) return
  const to = join(STANDALONE, file)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(file, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !from.endsWith('.nft.json') && !OTHER_SYSTEMS.test(from),
  })
}

function writePackage() {
  const { name, version, license, type, engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { start, admin } = scripts
  const told = { name, version, private: true, license, type, engines, scripts: { start, admin } }
  writeFileSync(join(STANDALONE, 'package.json'), `${JSON.stringify(told, null, 2)}\n`)
}

function sizeOf(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}
