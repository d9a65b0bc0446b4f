import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Fault } from '@/reference-service/faults'
import { ask } from './ask'
import type { Fleet } from './fleet'
import type { Instance } from './instance'
import type { Machine } from './machine'
import { fakeTimeLibrary } from './servers'
import type { Outcome } from './verdicts'

export type Scenario = {
  name: string
  tolerates: readonly Outcome[]
  freshAgainMs: number
  lacks?: (fleet: Fleet) => string | null
  run: (fleet: Fleet) => Promise<void>
}

const UNAVAILABLE: Outcome[] = ['busy', 'gateway', 'cut']
/** The lease of a dead holder ends after 10 s (`server/services.ts`). */
const WITH_LEASE_MS = 22_000
const SOON_MS = 12_000
const HALF_A_MINUTE_MS = 30_000
const TEN_MINUTES = 600

export const scenarios: readonly Scenario[] = [
  ...(['first', 'second', 'third'] as const).map((which) =>
    scenario(`kill -9 of the ${which} instance`, UNAVAILABLE, WITH_LEASE_MS, (fleet) => killAndStart(fleet[which])),
  ),
  scenario('kill -9 of the instance that is asking the service', UNAVAILABLE, WITH_LEASE_MS, async (fleet) =>
    killAndStart(await fetchingInstance(fleet)),
  ),
  scenario('the instance that is asking the service stands still for 20 s', UNAVAILABLE, WITH_LEASE_MS, async (fleet) =>
    pauseMachine(await fetchingInstance(fleet), 20_000),
  ),
  scenario('Redis is killed and starts empty', ['busy'], SOON_MS, async ({ redis }) => {
    await redis.end('SIGKILL')
    await wait(4_000)
    await redis.start()
  }),
  scenario(
    'Redis and every instance are killed, and start with an empty Redis',
    UNAVAILABLE,
    WITH_LEASE_MS,
    async ({ redis, instances }) => {
      await Promise.all([redis, ...instances].map((machine) => machine.end('SIGKILL')))
      await redis.start()
      for (const instance of instances) await instance.start()
    },
  ),
  scenario('Redis stands still for 15 s', ['busy'], WITH_LEASE_MS, ({ redis }) => pauseMachine(redis, 15_000)),
  scenario('PostgreSQL is stopped at once and started', ['busy'], SOON_MS, async (fleet) => {
    const { postgres } = fleet
    await postgres.end('SIGQUIT')
    await wait(1_000)
    const faults = await reloads(fleet, [200, 503])
    await wait(3_000)
    await postgres.start()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }),
  scenario('PostgreSQL is away when an instance starts', UNAVAILABLE, WITH_LEASE_MS, startWithoutDatabase),
  scenario('PostgreSQL stands still for 15 s', ['busy'], SOON_MS, ({ postgres }) => pauseMachine(postgres, 15_000)),
  scenario('the proxy reloads its settings', [], SOON_MS, async ({ proxy }) => {
    proxy.signal('SIGHUP')
    await wait(3_000)
  }),
  scenario('the proxy is killed', ['refused', 'cut'], SOON_MS, async ({ proxy }) => {
    await proxy.end('SIGKILL')
    await wait(2_000)
    await proxy.start()
  }),
  faulty('the service answers 503', { name: 'html', status: 503 }, 8_000),
  faulty('the service takes five seconds for each answer', { name: 'delay', ms: 5_000 }, 10_000),
  faulty('the service sends half an answer', { name: 'truncated' }, 6_000),
  faulty('the service says that there is nothing', { name: 'empty-list' }, 8_000),
  scenario('the service refuses the token', [], HALF_A_MINUTE_MS, async (fleet) => {
    fleet.service.setFaults([{ name: 'status', status: 401 }])
    await wait(8_000)
    const faults = await reloads(fleet, [200])
    fleet.service.setFaults([])
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }),
  {
    ...scenario('the disk of the database is full', ['busy'], 20_000, fillDisk),
    lacks: ({ disk }) => (disk === null ? 'no disk of its own can be mounted here' : null),
  },
  clock('ten minutes forward', TEN_MINUTES),
  clock('ten minutes back', -TEN_MINUTES),
  scenario('each instance in turn is ended and started again', [], SOON_MS, rollingRestart),
]

type Run = (fleet: Fleet) => Promise<void>

function scenario(name: string, tolerates: readonly Outcome[], freshAgainMs: number, run: Run): Scenario {
  return { name, tolerates, freshAgainMs, run }
}

function faulty(name: string, fault: Fault, lastsMs: number): Scenario {
  return scenario(name, [], HALF_A_MINUTE_MS, async ({ service }) => {
    service.setFaults([fault])
    await wait(lastsMs)
    service.setFaults([])
  })
}

function clock(where: string, seconds: number): Scenario {
  const name = `the clock of one instance goes ${where}, and back again`
  const moved = scenario(name, [], SOON_MS, async ({ third }) => {
    third.moveClock(seconds)
    await wait(8_000)
    third.moveClock(0)
    await wait(1_500)
  })
  return { ...moved, lacks: () => (fakeTimeLibrary() === null ? 'libfaketime is missing (Debian: faketime)' : null) }
}

async function killAndStart(instance: Instance): Promise<void> {
  await instance.end('SIGKILL')
  await wait(1_000)
  await instance.start()
}

async function pauseMachine(machine: Machine, ms: number): Promise<void> {
  machine.pause()
  await wait(ms)
  machine.resume()
}

const SLOW_MS = 3_000

async function fetchingInstance({ service, instances }: Fleet): Promise<Instance> {
  service.setFaults([{ name: 'delay', ms: SLOW_MS }])
  for (;;) {
    await wait(20)
    const instance = instances[service.asking()]
    if (instance === undefined) continue
    await wait(200)
    if (instances[service.asking()] === instance) {
      service.setFaults([])
      return instance
    }
  }
}

async function startWithoutDatabase({ third, postgres }: Fleet): Promise<void> {
  await third.end('SIGKILL')
  await postgres.end('SIGQUIT')
  const starting = third.start()
  await wait(10_000)
  const seen: string[] = []
  for (const path of ['/api/health/live', '/api/health/ready', '/api/status', '/declarations']) {
    const { status, body } = await ask(third.origin, path)
    seen.push(`${path} ${status} ${/waiting|väntar på databasen/.exec(body)?.[0] ?? ''}`.trim())
  }
  await postgres.start()
  await starting
  const answered = seen.join(', ')
  const wanted =
    '/api/health/live 200, /api/health/ready 503 waiting, /api/status 503 waiting, /declarations 503 väntar på databasen'
  if (answered !== wanted) throw new Error(answered)
}

const RELOADED = ['/declarations', '/questions', '/admin/status', '/admin/users', '/api/views', '/api/status']

async function reloads({ shared, admin: cookie }: Fleet, statuses: readonly number[]): Promise<string[]> {
  const { origin } = shared
  const faults: string[] = []
  for (const path of [...RELOADED, ...RELOADED]) {
    const first = await ask(origin, path, { cookie })
    // Without the database a page redirects to `/unreachable`.
    const { status, body, detail } = first.status === 307 ? await ask(origin, '/unreachable', { cookie }) : first
    const isIntags = path.startsWith('/api')
      ? body.startsWith('{')
      : body.includes('<title>Intag</title>') || status === 200
    if (!statuses.includes(status) || !isIntags || body.includes('Intag svarar inte')) faults.push(detail)
  }
  return faults
}

async function fillDisk({ disk, postgres }: Fleet): Promise<void> {
  const ballast = join(disk ?? '', 'ballast')
  fill(ballast)
  await wait(4_000)
  await forceNewLog(postgres.url)
  await wait(6_000)
  rmSync(ballast)
  const wasFull = postgres.hasPrinted('No space left on device')
  if (!postgres.isRunning()) await postgres.start()
  await wait(1_000)
  if (!wasFull) throw new Error('PostgreSQL did not notice that the disk was full.')
}

const SEGMENTS = 40

async function forceNewLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    for (let count = 0; count < SEGMENTS; count += 1) {
      await client.query('select pg_switch_wal(), pg_logical_emit_message(false, $1, $1)', ['full'])
    }
  } catch {
  } finally {
    await client.end().catch(() => {})
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  for (let size = 2 ** 20; size >= 512; size >>= 4) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
}

const BUSY = 8

/** As an operator does it at noon: each only when the one before takes requests again. */
async function rollingRestart({ instances, viewers }: Fleet): Promise<void> {
  viewers.hurry(BUSY)
  for (const instance of instances) {
    await instance.end('SIGTERM')
    await instance.start()
    // The proxy tries an instance again two seconds after it could not reach it.
    await wait(2_500)
  }
  viewers.hurry(1)
}
