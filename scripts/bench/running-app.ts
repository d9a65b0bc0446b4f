import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import pino from 'pino'
import packageJson from '@/package.json'
import type { SchoolScope } from '@/lib/contract/user'
import { listen } from '@/reference-service/http-server'
import { inventData, type Tier } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore, type Store } from '@/reference-service/store'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import { type Db, openPglite, openPostgres } from '@/server/db/database'
import { sessions } from '@/server/db/access-schema'
import { users } from '@/server/db/schema'
import { freePort } from '@/scripts/free-port'
import { cpuMsOf, familyCpuMsOf, parentOf } from './processor-time'

const READY_MS = 120_000
const TOKEN = 'bench'

/** `at`: when it was asked for, ms since the epoch. */
type Answered = { path: string; status: number; at: number }

/** The service that the app is connected to, in this process; `onAnswer` hears of each list that was sent. */
export async function startService(tier: Tier, onAnswer: (answer: Answered) => void = () => {}) {
  const data = inventData({ tier, seed: 7, now: Date.now() })
  const store: Store = createStore(data, new Map([[TOKEN, { label: 'bench', schools: 'all' }]]))
  const service = createReferenceService({ source: store, basePath: '/v1' })
  const heard: typeof service = {
    ...service,
    async handle(request, connection) {
      const at = Date.now()
      const answer = await service.handle(request, connection)
      onAnswer({ path: new URL(request.url).pathname, status: answer.status, at })
      return answer
    },
  }
  const { port, close } = await listen(heard, { port: 0, host: '127.0.0.1' })
  return { url: `http://127.0.0.1:${port}/v1`, store, close }
}

/** No Redis, and a database that may be on another machine of one's own. */
const ALONE = { REDIS_URL: '', ALLOW_PLAINTEXT: 'database' }

export type Member = { name: string; schools: SchoolScope }
export type RunningApp = Awaited<ReturnType<typeof startApp>>

/**
 * The built app as `npm start` runs it, connected to a service, with people who are signed in already. Without `postgres`
 * on PGlite; with it on a database of its own on the server of TEST_DATABASE_URL.
 */
export async function startApp({ url, members, postgres }: { url: string; members: Member[]; postgres: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), 'intag-bench-'))
  const database = postgres ? await createDatabase() : null
  const ids = await addPeople(folder, database?.url ?? null, members)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const [secret, metricsToken] = [randomBytes(32).toString('hex'), randomBytes(16).toString('hex')]
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const [, , ...command] = packageJson.scripts.start.split(' ')
  const app = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...inherited,
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: database?.url ?? '',
      ...ALONE,
      LEADS_API_URL: url,
      LEADS_API_TOKEN: TOKEN,
      NEXTAUTH_URL: origin,
      NEXTAUTH_SECRET: secret,
      METRICS_TOKEN: metricsToken,
      DATA_KEY: randomBytes(32).toString('base64'),
    },
  })
  // A bench that is called off leaves no server behind.
  process.once('exit', () => app.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const cookieOf = async (userId: string) => {
    const cookie = await renewedSessionCookie({ userId, id: userId }, { auth: { url: origin, secret } })
    return cookie.slice(0, cookie.indexOf(';'))
  }
  const cookies = await Promise.all(ids.map(cookieOf))
  const readyMs = await untilReady(app, origin, cookies[0] ?? '')
  return {
    origin,
    cookies,
    metricsToken,
    /** From the start of the process to the first list that it answers. */
    readyMs,
    memory: () => memoryOf(app.pid),
    cpuMs: () => cpuMsOf(app.pid),
    /** Of all processes of PostgreSQL; NaN for PGlite, which is in the app, and for a server on another machine. */
    databaseCpuMs: () => (database?.postmaster == null ? Number.NaN : familyCpuMsOf(database.postmaster)),
    async stop() {
      app.kill('SIGTERM')
      if (app.exitCode === null) await once(app, 'exit')
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(app: ChildProcess, origin: string, cookie: string): Promise<number> {
  const started = performance.now()
  while (performance.now() - started < READY_MS) {
    if (app.exitCode !== null) throw new Error('The app has ended; its message stands above.')
    const lists = ['declarations-of-interest', 'asked-questions'].map((list) =>
      fetch(`${origin}/api/${list}?limit=1`, { headers: { cookie } }).then(({ ok }) => ok),
    )
    const answers = await Promise.all(lists).catch(() => [false])
    if (answers.every(Boolean)) return performance.now() - started
    await wait(100)
  }
  throw new Error('The app has no lists yet after two minutes.')
}

/** Answers the people's ids, which are also their sessions'. They need no passwords: nobody signs in. */
async function addPeople(folder: string, url: string | null, members: Member[]): Promise<string[]> {
  const { db, close } = url === null ? await openPglite(folder) : await openPostgres(url, pino({ enabled: false }))
  try {
    return await insertPeople(db, members)
  } finally {
    await close()
  }
}

async function insertPeople(db: Db, members: Member[]): Promise<string[]> {
  const now = new Date()
  const rows = members.map(({ name, schools }, index) => {
    const email = `${index}@bench.example`
    return { id: `bench-${index}`, email, name, role: 'staff', schools, activatedAt: now, createdAt: now } as const
  })
  await db.insert(users).values(rows)
  const at = new Date()
  const times = { createdAt: at, lastUsedAt: at, provedAt: at }
  const come = { method: 'password', device: 'bench', address: '127.0.0.1' } as const
  await db.insert(sessions).values(rows.map(({ id }) => ({ id, userId: id, ...times, ...come })))
  return rows.map(({ id }) => id)
}

type Database = {
  url: string
  /** The server's first process, which has all others as children; null where it is on another machine. */
  postmaster: number | null
  drop: () => Promise<unknown>
}

async function createDatabase(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined) throw new Error('--postgres needs TEST_DATABASE_URL.')
  const name = `intag_bench_${randomBytes(6).toString('hex')}`
  const postmaster = await onServer(server, async (client) => {
    await client.query(`create database ${name}`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(rows[0]?.pid ?? 0, 'postgres')
  })
  const own = new URL(server)
  own.pathname = `/${name}`
  const drop = () => onServer(server, (client) => client.query(`drop database ${name} with (force)`))
  return { url: own.href, postmaster, drop }
}

async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Megabytes in memory now and at most so far; null where the system has no /proc. */
function memoryOf(pid: number | undefined): { nowMb: number; peakMb: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
    return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
  } catch {
    return null
  }
}
