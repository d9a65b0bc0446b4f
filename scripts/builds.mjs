import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

// A build has a folder of its own, named by its sources, and is one only once `WHOLE` is in it: so a new one comes into being
// beside those that are running, and one that failed or was killed is as good as not there.
const BUILDS = '.next/builds'
const WHOLE = 'whole'
/** A server that runs from an older one still has its files to send, for as many newer builds as this. */
const KEPT = 3

const SOURCES = ['app', 'components', 'lib', 'server', 'reference-service', 'public', 'scripts/admin']
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
  'scripts/admin.ts',
  'scripts/check-settings.ts',
]
/** Names the build of a folder that has no sources, made by `scripts/standalone.mjs`. */
export const ONLY_BUILD = '.next/only-build'

/** The folder of the build of these sources, whether it is there or not; of the only one, where there are no sources. */
export function buildFolder() {
  if (existsSync(ONLY_BUILD)) return readFileSync(ONLY_BUILD, 'utf8')
  return `${BUILDS}/${sourceDigest().slice(0, 16)}`
}

/** Whether what builds is installed, which production does without. */
export function canBuild() {
  try {
    return ['esbuild', 'tsx', 'typescript'].every((name) => import.meta.resolve(name))
  } catch {
    return false
  }
}

export const NOT_BUILT = `There is no build of these sources, and what builds is not installed (npm ci --omit=dev).
Run npm ci && npm run build, or bring the folder .next from where the very same files were built.`

/** Written last: from then on the folder is a build. */
export const wholeMark = (folder) => join(folder, WHOLE)

export function isWhole(folder) {
  return existsSync(wholeMark(folder))
}

/** Removes what no server runs from any more, and what never became a build. */
export function removeOldBuilds() {
  const built = readdirSync(BUILDS).map((name) => join(BUILDS, name))
  const whole = built.filter(isWhole).sort((one, other) => madeAt(other) - madeAt(one))
  const gone = [...whole.slice(KEPT), ...built.filter((folder) => !isWhole(folder))]
  for (const folder of gone) rmSync(folder, { recursive: true, force: true })
}

function madeAt(folder) {
  return statSync(wholeMark(folder)).mtimeMs
}

/** The same for every version of Node: what is built runs on all that `engines` names. */
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
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      // Node 20.9 has the former name.
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  )
}
