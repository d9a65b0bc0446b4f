import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

// A build's folder is named by its sources, and is a build once `WHOLE` is in it: a new one appears beside those in
// use, and one that failed does not count.
const BUILDS = '.next/builds'
const WHOLE = 'whole'
/** A server that runs from an older build still needs its files. */
const KEPT = 3

const SOURCES = ['app', 'components', 'lib', 'server', 'reference-service', 'public']
const CONFIGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'next.config.mjs', 'postcss.config.mjs']
const COMMANDS = ['admin.ts', 'check-settings.ts', 'env-file.mjs', 'setup.ts'].map((name) => `scripts/${name}`)
const FILES = [...CONFIGS, 'proxy.ts', 'instrumentation.ts', ...COMMANDS]
/** Names the build of a folder that has no sources, made by `scripts/standalone.mjs`. */
export const ONLY_BUILD = '.next/only-build'

export function buildFolder() {
  if (existsSync(ONLY_BUILD)) return readFileSync(ONLY_BUILD, 'utf8')
  return `${BUILDS}/${sourceDigest().slice(0, 16)}`
}

export function canBuild() {
  try {
    return ['esbuild', 'tsx', 'typescript'].every((name) => import.meta.resolve(name))
  } catch {
    return false
  }
}

export const NOT_BUILT = `There is no build of these sources, and what builds is not installed (npm ci --omit=dev).
Run npm ci && npm run build, or bring the folder .next from where the very same files were built.`

export const wholeMark = (folder) => join(folder, WHOLE)

export function isWhole(folder) {
  return existsSync(wholeMark(folder))
}

export function removeOldBuilds() {
  const built = readdirSync(BUILDS).map((name) => join(BUILDS, name))
  const whole = built.filter(isWhole).sort((one, other) => madeAt(other) - madeAt(one))
  const gone = [...whole.slice(KEPT), ...built.filter((folder) => !isWhole(folder))]
  for (const folder of gone) rmSync(folder, { recursive: true, force: true })
}

function madeAt(folder) {
  return statSync(wholeMark(folder)).mtimeMs
}

/** The same on every version of Node. */
function sourceDigest() {
  const hash = createHash('sha256')
  const paths = [...FILES, ...SOURCES.flatMap(filesBelow)]
    .filter((path) => !/\.(test\.tsx?|d\.json\.ts)$/.test(path))
    .sort()
  for (const path of paths) if (existsSync(path)) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
