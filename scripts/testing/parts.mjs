import { readFileSync, writeFileSync } from 'node:fs'
import { digestFiles } from '../build.mjs'

// Remembers which parts of `npm run test:full` have passed, by a digest of their files.

const APP = ['app', 'components', 'lib', 'public', 'next.config.mjs', 'package-lock.json']
const SERVER = ['app/api', 'server', 'lib', 'reference-service', 'scripts/testing', 'package-lock.json']
const CONFIGS = ['next.config.mjs', 'package.json', 'package-lock.json']
const PARTS = {
  'every store': ['server', 'lib/contract', 'package-lock.json'],
  production: ['scripts', 'deploy', 'Dockerfile', 'instrumentation.ts', ...CONFIGS],
  'every screen': [...APP, 'e2e'],
  'Firefox and WebKit': [...APP, 'e2e/browsers', 'e2e/fixtures.ts'],
  'three instances': [...SERVER, 'deploy/nginx.conf'],
}
const RECORD = 'scripts/testing/last-full-run.json'
/** These files are made by tools, used by no part, or the record itself. */
const EXCLUDED = /\.d\.json\.ts$|\.test\.tsx?$|^scripts\/(?:bench|testing\/last-full-run)/

export function isChanged(part) {
  return readRecord()[part] !== digestPart(part)
}

export function recordPass(part) {
  const record = { ...readRecord(), [part]: digestPart(part) }
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
}

function readRecord() {
  return JSON.parse(readFileSync(RECORD, 'utf8'))
}

function digestPart(part) {
  return digestFiles(PARTS[part], EXCLUDED).slice(0, 16)
}
