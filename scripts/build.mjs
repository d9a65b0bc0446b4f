import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeNewDatabase } from './new-database.mjs'

const SOURCES = ['app', 'components', 'lib', 'server', 'reference-service', 'public']
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
]
const DIGEST = '.next/source-digest'

/** Builds the app unless the last build came from these very sources. Throws when the build fails. */
export function buildIfNeeded(beforeBuild = () => {}) {
  const digest = sourceDigest()
  if (existsSync('.next/BUILD_ID') && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return
  beforeBuild()
  console.log('Building Intag …')
  // Types of routes that are gone would fail the build.
  rmSync('.next/dev', { recursive: true, force: true })
  rmSync(DIGEST, { force: true })
  const { status } = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  if (status !== 0) throw new Error('The build failed; its message stands above.')
  makeNewDatabase()
  writeFileSync(DIGEST, digest)
}

function sourceDigest() {
  const hash = createHash('sha256').update(process.version)
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
    .map((entry) => join(entry.parentPath, entry.name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfNeeded()
