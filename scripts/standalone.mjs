import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ONLY_BUILD } from './builds.mjs'

export const STANDALONE = '.next/standalone'

const DOCUMENTS = ['docs/help.sv.md', 'docs/help.en.md', 'PRIVACY.md', 'PRIVACY.sv.md', 'SECURITY.md', 'LICENSE']
const READ = ['public', 'server/db/migrations', ...DOCUMENTS]
const SCRIPTS = 'build builds env-file log-lines new-database run-command standalone start'.split(' ')
/** Packages that find native files at run time, which no tracer sees. */
const ADDONS = ['fs-native-extensions', 'require-addon', 'which-runtime']
const WHOLE = [...ADDONS, 'bare-addon-resolve', 'bare-module-resolve', 'bare-semver']
const OTHER_SYSTEMS = /prebuilds\/(android|darwin|ios|win32)/
const BUILT = ['server', 'static', 'commands', 'new-database.gz', 'whole']
/** What never runs in production; sharp is for `images`, which are off (`next.config.mjs`). */
const NEVER_RUN =
  /node_modules\/(sharp|@img|[^/]+\/test)\/|\.(map|d\.ts|dev\.js|development\.js)$|\/next\/dist\/(docs|compiled\/(webpack|next-devtools))\//

/** A folder that runs by itself: the build with the files that it needs. */
export async function makeStandalone(build) {
  rmSync(STANDALONE, { recursive: true, force: true })
  const wanted = [...tracedFiles(build), ...requiredFiles(build), ...(await startFiles())]
  const files = wanted.filter((file) => !NEVER_RUN.test(file))
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

/** Turbopack repeats the same code for each route: the first copy stays, the others require it. */
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

const SHARED_FROM = 20_000

function tracedFiles(build) {
  const traces = readdirSync(build, { recursive: true }).filter((name) => name.endsWith('.nft.json'))
  return traces.flatMap((name) => {
    const trace = join(build, name)
    const { files } = JSON.parse(readFileSync(trace, 'utf8'))
    return files.map((file) => relative('.', join(dirname(trace), file))).filter((file) => !isOurs(file))
  })
}

/** What starts Next, traced as Next itself does for its own standalone output. */
async function startFiles() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  const begins = ['next', 'lib/start-server', 'require-hook'].map((name) => `node_modules/next/dist/server/${name}.js`)
  const { fileList } = await nodeFileTrace(begins, { mixedModules: true, ignore: (file) => NEVER_RUN.test(file) })
  return [...fileList].filter((file) => !isOurs(file))
}

/** Our own files are in the build; paths made at run time mislead the tracer. */
function isOurs(file) {
  return !file.startsWith('node_modules/') && !file.startsWith('.next/')
}

function requiredFiles(build) {
  const { files } = JSON.parse(readFileSync(join(build, 'required-server-files.json'), 'utf8'))
  return [...files, join(build, 'required-server-files.json')]
}

function copy(file) {
  if (!existsSync(file)) return
  const to = join(STANDALONE, file)
  mkdirSync(dirname(to), { recursive: true })
  const filter = (from) => !from.endsWith('.nft.json') && !OTHER_SYSTEMS.test(from)
  cpSync(file, to, { recursive: true, verbatimSymlinks: true, filter })
}

function writePackage() {
  const { name, version, license, type, engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { start, setup, admin } = scripts
  const fields = { name, version, private: true, license, type, engines, scripts: { start, setup, admin } }
  writeFileSync(join(STANDALONE, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`)
}

function sizeOf(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}
