import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Remembers which parts of `npm run test:full` have passed, by a digest of their files.

const APP = ['app', 'components', 'lib', 'public', 'next.config.mjs', 'package-lock.json']
const SERVER = ['app/api', 'server', 'lib', 'reference-service', 'scripts/testing', 'package-lock.json']

const PARTS = {
  'every store': ['server', 'lib/contract', 'package-lock.json'],
  production: [
    'scripts',
    'deploy',
    'Dockerfile',
    'next.config.mjs',
    'instrumentation.ts',
    'package.json',
    'package-lock.json',
  ],
  'every screen': [...APP, 'e2e'],
  'Firefox and WebKit': [...APP, 'e2e/browsers', 'e2e/fixtures.ts'],
  'three instances': [...SERVER, 'deploy/nginx.conf'],
}
const RECORD = 'scripts/testing/last-full-run.json'
/** These files are made by tools, used by no part, or the record itself. */
const LEFT_OUT = /\.d\.json\.ts$|\.test\.tsx?$|^scripts\/(?:bench|testing\/last-full-run)/

export function isChanged(part) {
  return readRecord()[part] !== digestFiles(part)
}

export function noteGreen(part) {
  const record = { ...readRecord(), [part]: digestFiles(part) }
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
}

function readRecord() {
  return JSON.parse(readFileSync(RECORD, 'utf8'))
}

function digestFiles(part) {
  const hash = createHash('sha256')
  const paths = PARTS[part].flatMap(listFiles).filter((path) => !LEFT_OUT.test(path))
  for (const path of paths.sort()) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
