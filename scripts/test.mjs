import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './testing/chromium.mjs'
import { isChanged, noteGreen } from './testing/parts.mjs'

// npm run check takes seconds, npm test finds all that a change can break, test:full runs every part, test:changed the
// parts whose files have changed since they were last green.

const reports = mkdtempSync(join(tmpdir(), 'intag-tests-'))
const startedAt = Date.now()
const total = { passed: 0, failed: 0, skipped: 0 }
/** Named again at the end, where the last lines of a long log show them. */
const failures = []

const parts = {
  'every store': () => vitest('every store', ['--project', 'integration', 'server/base/stores'], { TEST_FULL: 'true' }),
  production: () =>
    step(
      'production',
      async () => (await run('node', ['scripts/build.mjs'])) && run('node', ['scripts/testing/production.mjs']),
    ),
  'every screen': () => playwright('every screen', 'screens', ['chromium']),
  'Firefox and WebKit': () => playwright('Firefox and WebKit', 'browsers', ['firefox', 'webkit']),
  'three instances': () => step('three instances', () => run('npm', ['run', '--silent', 'chaos'])),
}

const what = process.argv[2] ?? 'all'
if (what === 'changed') {
  const changed = Object.keys(parts).filter(isChanged)
  console.log(changed.length === 0 ? 'No part of the full run has changed.' : `Changed: ${changed.join(', ')}`)
  if (changed.some((part) => part === 'every screen' || part === 'Firefox and WebKit')) await build()
  for (const part of changed) await runPart(part)
} else {
  await step('format', () => run('oxfmt', ['--check']))
  await step('lint', () => run('oxlint', ['--deny-warnings']))
  await step('types', async () => (await run('next', ['typegen'])) && run('tsc', ['--noEmit']))
  await vitest('unit tests', ['--project', 'unit'])
  if (what !== 'check') {
    const knip = (...args) => run('knip', ['--no-progress', ...args])
    await step('unused code', async () => (await knip()) && knip('--production'))
    await vitest('integration tests', ['--project', 'integration', '--project', 'alone'])
    await build()
    await playwright('browser tests', 'main', ['chromium'])
  }
  if (what === 'full') for (const part of Object.keys(parts)) await runPart(part)
}

rmSync(reports, { recursive: true, force: true })
console.log(['', ...failures.map((name) => `✗ ${name}`)].join('\n'))
console.log(`after ${Math.round((Date.now() - startedAt) / 1000)} s`)
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1

async function runPart(part) {
  if (await parts[part]()) noteGreen(part)
}

function build() {
  return step('build', () => run('node', ['scripts/build.mjs']))
}

function vitest(name, args, env = {}) {
  return suite(
    name,
    (report) =>
      run('vitest', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], env),
    (json) => {
      // A file that could not even be loaded contains no failed test, and is named itself.
      const names = json.testResults.flatMap(({ name: file, status, assertionResults }) => {
        const failed = assertionResults.filter((test) => test.status === 'failed')
        if (status === 'failed' && failed.length === 0) return [file]
        return failed.map((test) => `${file} › ${test.fullName}`)
      })
      return { passed: json.numPassedTests, failed: names.length, skipped: json.numPendingTests, failures: names }
    },
  )
}

function playwright(name, part, projects) {
  return suite(
    name,
    (report) =>
      run('playwright', ['test', ...projects.map((project) => `--project=${project}`), '--reporter=list,json'], {
        CHROMIUM_PATH: part === 'browsers' ? '' : findChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        TEST_PART: part,
      }),
    ({ stats, suites }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      failures: suites.flatMap(failedSpecs),
    }),
  )
}

async function step(name, does) {
  console.log(`\n— ${name}`)
  const ok = (await attempt(does)) === true
  total[ok ? 'passed' : 'failed'] += 1
  if (!ok) failures.push(name)
  return ok
}

/** Whether all passed. A suite without a report, or without tests, has failed. */
async function suite(name, does, count) {
  console.log(`\n— ${name}`)
  const report = join(reports, `${name}.json`)
  await attempt(() => does(report))
  const json = await attempt(() => JSON.parse(readFileSync(report, 'utf8')))
  const counted = json && (await attempt(() => count(json)))
  const ran = counted && counted.passed + counted.failed > 0
  if (ran) for (const key of Object.keys(total)) total[key] += counted[key]
  else total.failed += 1
  failures.push(...(ran ? counted.failures : [name]))
  return ran && counted.failed === 0
}

async function attempt(does) {
  try {
    return await does()
  } catch (error) {
    console.error(error.message)
    return undefined
  }
}

function failedSpecs({ file, specs, suites = [] }) {
  const failed = specs.filter((spec) => spec.tests.some((test) => ['unexpected', 'flaky'].includes(test.status)))
  return [...failed.map((spec) => `${file} › ${spec.title}`), ...suites.flatMap(failedSpecs)]
}

async function run(command, args, env = {}) {
  const options = { stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' }
  const [status] = await once(spawn(command, args, options), 'close')
  return status === 0
}
