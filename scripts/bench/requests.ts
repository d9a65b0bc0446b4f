import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { promisify } from 'node:util'
import packageJson from '@/package.json'
import { createMachine } from '@/scripts/testing/fleet/machine'
import { freePort } from '@/scripts/testing/free-port'
import { ask } from './ask'
import { cpuMsOf, median, quantile } from './measure'
import { withApp } from './running-app'

const CONNECTIONS = 16
const MEASURED_MS = 8_000
/** A bare Next keeps getting faster for some ten seconds. */
const WARM_UP_MS = 8_000
const PATHS = {
  'health, nobody signed in': '/api/health',
  'status, signed in': '/api/status',
  'a preference, signed in': '/api/preferences/export.asked-questions',
  'a list of 100': '/api/declarations-of-interest?limit=100&offset=0&sort=-createdAt',
  'the inbox page': '/declarations',
}

export async function run(): Promise<object[]> {
  const bare = await withFolder((folder) => ofBare(folder, (port) => ['-e', BARE_HTTP, String(port)]))
  const next = await withFolder(async (folder) => {
    await buildBareNext(folder)
    const flags = packageJson.scripts.start.split(' ').filter((part) => part.startsWith('--'))
    return ofBare(folder, (port) => [...flags, NEXT, 'start', '--port', String(port)])
  })
  const rowOf = (name: string, figures: Figures) => ({
    request: name,
    ...figures,
    'of bare node:http': figures['a second'] / bare['a second'],
    'of a bare Next route': figures['a second'] / next['a second'],
  })
  const rows = [rowOf('bare node:http', bare), rowOf('a bare Next route', next)]
  return withApp({ members: [{ name: 'Requests', schools: 'all' }] }, async (app) => {
    for (const [name, path] of Object.entries(PATHS)) {
      rows.push(rowOf(name, await load(app.origin + path, app.cookies[0] ?? '', app.cpuMs)))
    }
    return rows
  })
}

type Figures = Awaited<ReturnType<typeof load>>

async function load(url: string, cookie: string, cpuMs: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const during = async (lastsMs: number) => {
    const until = performance.now() + lastsMs
    const answers: { ms: number; bytes: number }[] = []
    const work = async () => {
      while (performance.now() < until) {
        const started = performance.now()
        const bytes = await sizeOf(url, cookie, agent)
        answers.push({ ms: performance.now() - started, bytes })
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    return answers
  }
  await during(WARM_UP_MS)
  const before = { cpuMs: cpuMs(), at: performance.now() }
  const answers = await during(MEASURED_MS)
  const elapsedMs = performance.now() - before.at
  agent.destroy()
  const times = answers.map((answer) => answer.ms)
  return {
    'a second': (answers.length * 1000) / elapsedMs,
    'median ms': median(times),
    'p95 ms': quantile(times, 0.95),
    'processor ms each': (cpuMs() - before.cpuMs) / answers.length,
    kB: answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1000 / answers.length,
  }
}

/** Rejects on a refusal, which would be quick. */
async function sizeOf(url: string, cookie: string, agent: Agent): Promise<number> {
  const headers = { cookie, accept: 'application/json', 'accept-encoding': 'gzip' }
  const { status, bytes } = await ask(url, { agent, headers })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  return bytes.length
}

const BARE_HTTP = `require('node:http').createServer((_, answer) => void answer.end('{}')).listen(process.argv[1])`
const FILES = {
  'package.json': '{}',
  'app/route.js': `export const dynamic = 'force-dynamic'\nexport const GET = () => Response.json({})\n`,
}
const NEXT = 'node_modules/next/dist/bin/next'
const { NODE_OPTIONS: _, ...inherited } = process.env
const env = { ...inherited, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'intag-bare-'))
  return work(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

async function buildBareNext(folder: string): Promise<void> {
  await mkdir(join(folder, 'app'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  await symlink(resolvePath('node_modules'), join(folder, 'node_modules'))
  // Turbopack needs all modules below the folder.
  await promisify(execFile)(process.execPath, [NEXT, 'build', '--webpack'], { cwd: folder, env })
}

async function ofBare(folder: string, argsOf: (port: number) => string[]): Promise<Figures> {
  const port = await freePort()
  const origin = `http://localhost:${port}/`
  const server = createMachine({
    name: 'bare',
    folder,
    launch: () => ({ command: process.execPath, args: argsOf(port), options: { cwd: folder, env } }),
    isReady: () =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      ),
  })
  await server.start()
  return load(origin, '', () => cpuMsOf(server.pid())).finally(() => server.end('SIGTERM'))
}
