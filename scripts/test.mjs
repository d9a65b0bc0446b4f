import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './testing/chromium.mjs'
import { isChanged, recordPass } from './testing/parts.mjs'

// `npm run check` runs what takes seconds, and `npm test` also the integration and browser tests. `test:full` adds each
// part below, and `test:changed` runs only the parts whose files have changed since they last passed.

const MODES = ['default', 'check', 'changed', 'full']
const mode = process.argv[2] ?? 'default'
if (!MODES.includes(mode)) throw new Error(`"${mode}" is not one of ${MODES.join(', ')}`)

const reportFolder = mkdtempSync(join(tmpdir(), 'intag-tests-'))
const startedAt = Date.now()
/** A step without tests of its own, such as the build, counts as one test. */
const total = { passed: 0, failed: 0, skipped: 0 }
/** The names of what failed are repeated at the end of the log. */
const failures = []

const fullRunParts = {
  'every store': (name) => runVitest(name, ['--project', 'integration', 'server/base/stores'], { TEST_FULL: 'true' }),
  production: (name) => runStep(name, () => run('node', ['scripts/testing/production.mjs'])),
  'every screen': (name) => runPlaywright(name, 'screens', ['chromium']),
  'Firefox and WebKit': (name) => runPlaywright(name, 'browsers', ['firefox', 'webkit']),
  'three instances': (name) => runStep(name, () => run('npm', ['run', '--silent', 'chaos'])),
}
/** These parts mostly wait for programs that start or end, so they run at the same time. */
const waitingParts = new Set(['production', 'three instances'])

if (mode === 'changed') {
  const changedParts = Object.keys(fullRunParts).filter(isChanged)
  console.log(
    changedParts.length === 0 ? 'No part of the full run has changed.' : `Changed: ${changedParts.join(', ')}`,
  )
  if (changedParts.length > 0 && (await build())) await runParts(changedParts)
} else {
  await runStep('format', () => run('oxfmt', ['--check']))
  await runStep('lint', () => run('oxlint', ['--deny-warnings']))
  await runStep('types', async () => (await run('next', ['typegen'])) && run('tsc', ['--noEmit']))
  await runVitest('unit tests', ['--project', 'unit'])
  if (mode !== 'check') {
    const knip = (...args) => run('knip', ['--no-progress', ...args])
    await runStep('unused code', async () => (await Promise.all([knip(), knip('--production')])).every(Boolean))
    await runVitest('integration tests', ['--project', 'integration', '--project', 'alone'])
    // After a failed build the tests would run on the build before it.
    if (await build()) {
      // In the full run every screen is tested together with the `main` suite.
      const isFull = mode === 'full'
      const hasPassed = await runPlaywright('browser tests', isFull ? 'all' : 'main', ['chromium'])
      if (isFull && hasPassed) recordPass('every screen')
      if (isFull) await runParts(Object.keys(fullRunParts).filter((name) => name !== 'every screen'))
    }
  }
}

rmSync(reportFolder, { recursive: true, force: true })
console.log(['', ...failures.map((name) => `✗ ${name}`)].join('\n'))
console.log(`after ${Math.round((Date.now() - startedAt) / 1000)} s`)
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1

async function runParts(names) {
  const runPart = async (name) => (await fullRunParts[name](name)) && recordPass(name)
  await Promise.all(names.filter((name) => waitingParts.has(name)).map(runPart))
  for (const name of names) if (!waitingParts.has(name)) await runPart(name)
}

function build() {
  return runStep('build', () => run('node', ['scripts/build.mjs']))
}

function runVitest(name, args, env = {}) {
  return runSuite(
    name,
    (reportFile) =>
      run('vitest', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`], env),
    (report) => {
      // A file that could not be loaded contains no failed test, so the file itself is named.
      const names = report.testResults.flatMap(({ name: file, status, assertionResults }) => {
        const failed = assertionResults.filter((test) => test.status === 'failed')
        if (status === 'failed' && failed.length === 0) return [file]
        return failed.map((test) => `${file} › ${test.fullName}`)
      })
      return { passed: report.numPassedTests, failed: names.length, skipped: report.numPendingTests, failures: names }
    },
  )
}

function runPlaywright(name, suite, projects) {
  return runSuite(
    name,
    (reportFile) =>
      run('playwright', ['test', ...projects.map((project) => `--project=${project}`), '--reporter=list,json'], {
        CHROMIUM_PATH: suite === 'browsers' ? '' : findChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
        TEST_PART: suite,
      }),
    ({ stats, suites }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      failures: suites.flatMap(listFailedSpecs),
    }),
  )
}

async function runStep(name, work) {
  console.log(`\n— ${name}`)
  const hasPassed = await attempt(work)
  if (hasPassed) total.passed += 1
  return hasPassed || recordFailure(name)
}

/** Returns whether all tests passed. A suite that ends badly without a failed test, or has no test, has failed. */
async function runSuite(name, runTests, count) {
  console.log(`\n— ${name}`)
  const reportFile = join(reportFolder, `${name}.json`)
  const hasPassed = await attempt(() => runTests(reportFile))
  const counted = await attempt(() => count(JSON.parse(readFileSync(reportFile, 'utf8'))))
  if (!counted) return recordFailure(name)
  for (const key of Object.keys(total)) total[key] += counted[key]
  failures.push(...counted.failures)
  if (counted.failed === 0 && !(hasPassed && counted.passed > 0)) return recordFailure(name)
  return counted.failed === 0
}

function recordFailure(name) {
  total.failed += 1
  failures.push(name)
  return false
}

/** Returns false if the work throws. */
async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    console.error(error.message)
    return false
  }
}

function listFailedSpecs({ file, specs, suites = [] }) {
  const failed = specs.filter((spec) => spec.tests.some((test) => ['unexpected', 'flaky'].includes(test.status)))
  return [...failed.map((spec) => `${file} › ${spec.title}`), ...suites.flatMap(listFailedSpecs)]
}

async function run(command, args, env = {}) {
  const options = { stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' }
  const [status] = await once(spawn(command, args, options), 'close')
  return status === 0
}
