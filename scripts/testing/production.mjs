import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { STANDALONE } from '../build.mjs'
import { freePort } from './free-port.ts'
import { copyBuild, explainMissingEngine, serveFromImage } from './image.mjs'
import { createMachine } from './machine.ts'

// Tests what an operator runs: another user, a read-only tree, nothing of development. It needs a build.

/** With its base (25 MB), Node (127 MB) and a shell the image stays under 300 MB. */
const MAX_MB = 120
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const node = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath

const DEMO = { DEMO_TIER: 'S-new' }
const START = ['--max-semi-space-size=32', '--heap-growing-percent=40', 'scripts/start.mjs']

const work = mkdtempSync(join(tmpdir(), 'intag-production-'))
spawnSync('chmod', ['755', work])
after(() => rmSync(work, { recursive: true, force: true }))

test('the folder that runs by itself is small and has no secrets', () => {
  const files = listFiles(STANDALONE)
  const megabytes = Number(/^\d+/.exec(spawnSync('du', ['-sm', STANDALONE], { encoding: 'utf8' }).stdout)?.[0])
  assert.ok(megabytes > 20 && megabytes < MAX_MB, `${megabytes} MB`)
  const wrong = /(^|\/)\.env|\.test\.|node_modules\/(tsx|typescript|esbuild|@next\/swc[^/]*)\//
  assert.deepEqual(
    files.filter((path) => wrong.test(path)),
    [],
  )
})

const missingEngine = explainMissingEngine()

test(
  'it serves from a read-only tree as another user',
  { skip: missingEngine === null && 'the image serves it' },
  () => {
    const tree = join(work, 'standalone')
    copyBuild(tree)
    return verifyServer(tree, 'standalone')
  },
)

test('an installation without what builds serves from a finished build, and says so without one', async () => {
  const tree = createPrunedTree()
  await verifyServer(tree, 'pruned')
  rmSync(join(tree, '.next'), { recursive: true })
  const { status, stderr } = runProgram(describeProgram(tree, 'unbuilt', await freePort()))
  assert.equal(status, 1)
  assert.match(stderr, /There is no build of these sources/)
  assert.doesNotMatch(stderr, / at /)
})

test(
  'the image serves read-only, without a capability, as its user, and ends in time',
  { skip: missingEngine ?? false },
  async () => serveFromImage({ ...DEMO, HOST: '127.0.0.1', PORT: await freePort() }, verifyApp),
)

async function verifyServer(tree, name) {
  const before = listFiles(tree).length
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const isReady = () => isHealthy(origin)
  const server = createMachine({ name, folder: work, ...describeProgram(tree, name, port), isReady })
  try {
    await server.start()
    await verifyApp(origin, server.readLog)
    const doctor = runProgram(describeProgram(tree, name, port, ['scripts/run-command.mjs', 'admin', 'doctor']))
    assert.equal(doctor.status, 0, doctor.stdout)
    assert.match(doctor.stdout, /tables of this release/)
    await server.end('SIGTERM')
    assert.equal(listFiles(tree).length, before, 'something was written into the tree')
  } finally {
    await server.end('SIGKILL')
  }
}

async function isHealthy(origin) {
  const answer = await fetch(`${origin}/api/health`).catch(() => null)
  return answer?.ok === true
}

async function verifyApp(origin, readOutput) {
  await waitUntil(() => isHealthy(origin), readOutput)
  const cookies = new Map()
  const send = async (path, body) => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), origin }
    const answer = await fetch(origin + path, { headers, redirect: 'manual', ...(body && { method: 'POST', body }) })
    for (const line of answer.headers.getSetCookie()) cookies.set(...line.split(';')[0].split(/=(.*)/s))
    return answer
  }
  const { csrfToken } = await (await send('/api/auth/csrf')).json()
  const person = { csrfToken, email: 'staff@demo.test', password: 'demo', json: 'true' }
  const signedIn = await send('/api/auth/callback/credentials', new URLSearchParams(person))
  assert.equal(signedIn.status, 200, await signedIn.text())
  await waitUntil(async () => (await send('/api/declarations-of-interest?limit=1')).status === 200, readOutput)
  const page = await (await send('/declarations')).text()
  const code = [...page.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(([, path]) => path)
  assert.ok(code.length > 5, 'a page without code')
  // Browsers request the last by themselves.
  for (const path of [...code, '/icon.svg', '/favicon.ico']) assert.equal((await send(path)).status, 200, path)
  assert.ok((await send('/manifest.webmanifest')).status < 500)
}

function createPrunedTree() {
  const tree = join(work, 'pruned')
  mkdirSync(tree)
  const excluded = new Set(['.git', '.next', '.data', 'test-results', 'playwright-report', 'coverage'])
  for (const name of readdirSync('.')) if (!excluded.has(name)) spawnSync('cp', ['-al', name, tree])
  copyBuild(join(tree, STANDALONE))
  // The files are links, and npm writes into its list of packages.
  rmSync(join(tree, 'node_modules/.package-lock.json'), { force: true })
  const prune = ['prune', '--omit=dev', '--no-audit', '--no-fund', '--offline']
  const { status } = spawnSync('npm', prune, { cwd: tree, stdio: 'inherit' })
  assert.ok(status === 0 && !existsSync(join(tree, 'node_modules/tsx')), 'npm prune')
  return tree
}

/** Describes a command in the tree. Root makes the tree read-only by a mount of its own, and runs it as another user. */
function describeProgram(tree, name, port, command = START) {
  const data = join(work, `data-${name}`)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (isRoot) chownSync(data, NOBODY, NOBODY)
  const env = { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: data, ...DEMO }
  if (!isRoot) return { command: node, args: command, options: { env, cwd: tree } }
  const inside =
    'mount --bind -o ro "$0" "$0" && cd "$0" && exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs "$@"'
  return { command: 'unshare', args: ['--mount', 'sh', '-c', inside, tree, node, ...command], options: { env } }
}

function runProgram({ command, args, options }) {
  return spawnSync(command, args, { ...options, encoding: 'utf8' })
}

async function waitUntil(isTrue, readOutput) {
  for (const end = Date.now() + 30_000; Date.now() < end; await setTimeout(200))
    if (await isTrue().catch(() => false)) return
  throw new Error(`It does not answer. It said: ${readOutput()}`)
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true }).filter((path) => !path.endsWith('.sock'))
}
