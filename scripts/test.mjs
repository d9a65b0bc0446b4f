import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'

const reports = mkdtempSync(join(tmpdir(), 'intag-tests-'))
const total = { passed: 0, failed: 0, skipped: 0 }

// Lint, format and types count as one test each; the suites count their own.
step('format', () => run('oxfmt', ['--check']))
step('lint', () => run('oxlint', ['--deny-warnings']))
step('types', () => run('next', ['typegen']) && run('tsc', ['--noEmit']))
// Twice: what only tests use is no use.
step('unused code', () => run('knip', ['--no-progress']) && run('knip', ['--production', '--no-progress']))
suite(
  'unit and integration tests',
  'vitest.json',
  (report) => {
    run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  },
  (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests + brokenFiles(json),
    skipped: json.numPendingTests,
  }),
)
step('build', () => run('node', ['scripts/build.mjs']))
if (process.env.CI) {
  suite(
    'production',
    'production.json',
    (report) => {
      run('node', ['scripts/build.mjs', '--standalone'])
      run('node', ['scripts/test-production.mjs', report])
    },
    (counted) => counted,
  )
}
suite(
  'browser tests',
  'playwright.json',
  (report) => {
    run('playwright', ['test', '--reporter=list,json'], {
      CHROMIUM_PATH: findChromium(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    })
  },
  ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }),
)

rmSync(reports, { recursive: true, force: true })
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1

function step(name, does) {
  console.log(`\n— ${name}`)
  const ok = attempt(does) === true
  total[ok ? 'passed' : 'failed'] += 1
  if (!ok) console.log(`✗ ${name}`)
}

/** A suite that wrote no report, or ran nothing, has failed. */
function suite(name, file, does, count) {
  console.log(`\n— ${name}`)
  const report = join(reports, file)
  attempt(() => does(report))
  const counted = attempt(() => count(JSON.parse(readFileSync(report, 'utf8'))))
  if (!counted || counted.passed + counted.failed === 0) total.failed += 1
  else for (const key of Object.keys(total)) total[key] += counted[key]
}

function attempt(does) {
  try {
    return does()
  } catch (error) {
    console.error(error.message)
    return undefined
  }
}

/** Test files that could not even be loaded contain no failed test. */
function brokenFiles(json) {
  return json.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
}

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  return status === 0
}
