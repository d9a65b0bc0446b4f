import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import packageJson from '@/package.json'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { SchoolScope } from '@/lib/contract/user'
import { listen } from '@/reference-service/http-server'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore, type Store } from '@/reference-service/store'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import { openPglite, openPostgres } from '@/server/base/database'
import { sessions } from '@/server/base/access-schema'
import { users } from '@/server/base/schema'
import { createOwnDatabase } from '@/server/base/testing/own-database'
import { createMachine } from '@/scripts/testing/fleet/machine'
import { freePort } from '@/scripts/testing/free-port'
import { cpuMsOf, memoryMbOf } from './measure'

export const TIER = 'XL'
export const DATABASE = process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'PGlite'
const TOKEN = 'bench'

export type Answered = { path: string; status: number; at: number }

type World = { members: Member[]; onAnswer?: (answer: Answered) => void }

/** The built app with signed-in users, on PGlite or a new database of TEST_DATABASE_URL. */
export async function withApp<T>(world: World, work: (app: RunningApp, store: Store) => Promise<T>): Promise<T> {
  const service = await startService(world)
  const app = await startApp(service.url, world)
  return work(app, service.store).finally(() => app.stop().then(service.close))
}

async function startService({ onAnswer }: World) {
  const data = inventData({ tier: TIER, seed: 7, now: Date.now() })
  const store: Store = createStore(data, new Map([[TOKEN, { label: 'bench', schools: 'all' }]]))
  const service = createReferenceService({ source: store, basePath: '/v1' })
  const handle: typeof service.handle = async (request, connection) => {
    const at = Date.now()
    const answer = await service.handle(request, connection)
    onAnswer?.({ path: new URL(request.url).pathname, status: answer.status, at })
    return answer
  }
  const { port, close } = await listen({ ...service, handle }, 0)
  return { url: `http://127.0.0.1:${port}/v1`, store, close }
}

const { NODE_OPTIONS: _, ...inherited } = process.env
const SETTINGS = {
  ...inherited,
  LEADS_API_TOKEN: TOKEN,
  DATA_KEY: randomBytes(32).toString('base64'),
}

export type Member = { name: string; schools: SchoolScope }
export type RunningApp = Awaited<ReturnType<typeof startApp>>

async function startApp(serviceUrl: string, { members }: World) {
  const folder = await mkdtemp(join(tmpdir(), 'intag-bench-'))
  const database = DATABASE === 'PostgreSQL' ? await createOwnDatabase() : null
  const ids = await addPeople(folder, database?.url ?? null, members)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const secret = randomBytes(32).toString('hex')
  const env = {
    ...SETTINGS,
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: database?.url ?? '',
    LEADS_API_URL: serviceUrl,
    NEXTAUTH_URL: origin,
    NEXTAUTH_SECRET: secret,
  }
  const cookies: string[] = []
  for (const id of ids) {
    const cookie = await renewedSessionCookie({ userId: id, id }, { auth: { url: origin, secret } })
    cookies.push(cookie.slice(0, cookie.indexOf(';')))
  }
  const hasList = (list: string) =>
    fetch(`${origin}/api/${list}?limit=1`, { headers: { cookie: cookies[0] ?? '' } }).then(({ ok }) => ok)
  const [, , ...args] = packageJson.scripts.start.split(' ')
  const app = createMachine({
    name: 'app',
    folder,
    launch: () => ({ command: process.execPath, args, options: { env } }),
    isReady: () =>
      Promise.all(LEAD_LISTS.map(hasList)).then(
        (lists) => lists.every(Boolean),
        () => false,
      ),
  })
  await app.start()
  return {
    origin,
    cookies,
    memoryMb: () => memoryMbOf(app.pid()),
    cpuMs: () => cpuMsOf(app.pid()),
    async stop() {
      await app.end('SIGTERM')
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addPeople(folder: string, url: string | null, members: Member[]): Promise<string[]> {
  const { db, close } = url === null ? await openPglite(folder) : await openPostgres(url, pino({ enabled: false }))
  const at = new Date()
  const people = members.map(({ name, schools }, index) => {
    const email = `${index}@bench.example`
    return { id: `bench-${index}`, email, name, role: 'staff', schools, activatedAt: at, createdAt: at } as const
  })
  const times = { createdAt: at, lastUsedAt: at, provedAt: at }
  const come = { method: 'password', device: 'bench', address: '127.0.0.1' } as const
  try {
    await db.insert(users).values(people)
    await db.insert(sessions).values(people.map(({ id }) => ({ id, userId: id, ...times, ...come })))
    return people.map(({ id }) => id)
  } finally {
    await close()
  }
}
