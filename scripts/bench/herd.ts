import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LeadList } from '@/lib/contract/lead'
import type { Handle } from '@/reference-service/http-server'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { inventSchools } from '@/reference-service/invented/data'
import type { Member } from '@/scripts/testing/running-app'
import type { HerdReport, Message, Order, PersonPlan } from './herd-client'
import { quantile, readUsage } from './measure'
import { DATABASE, TIER, withApp, type World } from './running-app'

const PAGES = [1, 10, 100, 1000]
const PEOPLE = 300
const MEASURED_MS = 45_000
const ARRIVAL_MS = 3_000
const OPENED_PER_SECOND = 25
/** A new stream invalidates the counts, which are fetched after 16 s. */
const SETTLE_MS = 32_000
const LATE_MS = 30_000

/** Measures how soon new leads are on every page, how long other requests wait, and what it costs upstream. */
export function run(): Promise<object[]> {
  const snapshots: Snapshots = { 'declarations-of-interest': [], 'asked-questions': [] }
  const members = inventPeople(inventSchools(TIER).map(({ id }) => id))
  const measure = async (world: World) => {
    const people = members.map(({ schools }, index) => ({ cookie: world.cookies[index] ?? '', schools }))
    const rows: object[] = []
    for (const pages of PAGES)
      rows.push({ pages, database: DATABASE, ...(await withPages(world, pages, people, snapshots)) })
    return rows
  }
  return withApp(members, measure, (handle) => recordSnapshots(snapshots, handle))
}

/** When a request for a list arrived at the service, and when it was answered. */
type Snapshots = Record<LeadList, { requestedAt: number; answeredAt: number }[]>

function recordSnapshots(snapshots: Snapshots, handle: Handle): Handle {
  return async (request) => {
    const requestedAt = Date.now()
    const answer = await handle(request)
    const list = request.url.includes('askedQuestions') ? 'asked-questions' : 'declarations-of-interest'
    const isList = !request.url.includes('highSchool')
    if (answer.status === 200 && isList) snapshots[list].push({ requestedAt, answeredAt: Date.now() })
    return answer
  }
}

async function withPages({ app, service }: World, pages: number, people: PersonPlan[], snapshots: Snapshots) {
  // The client runs without the server's conditions, so that React's browser half loads.
  const execArgv = process.execArgv.filter((arg) => !arg.startsWith('--conditions'))
  const client = fork(fileURLToPath(new URL('herd-client.ts', import.meta.url)), { execArgv })
  const send = (order: Order) => client.send(order)
  const arrivedAt = new Map<string, number>()
  const arrivals = createArrivals({
    store: service.store,
    seed: Date.now(),
    meanMs: ARRIVAL_MS,
    beforeArrival(lead) {
      arrivedAt.set(lead.id, Date.now())
      const list = 'user' in lead ? 'declarations-of-interest' : 'asked-questions'
      send({ kind: 'lead', lead: { id: lead.id, list, school: lead.highSchoolId } })
    },
  })
  try {
    const { origin } = app
    send({ kind: 'open', origin, people, pages, perSecond: OPENED_PER_SECOND })
    await receive(client, 'open')
    await wait(SETTLE_MS)
    const before = { ...readUsage(app.pid()), ms: performance.now(), upstream: service.statuses.length }
    send({ kind: 'measure', isOn: true })
    arrivals.start()
    await wait(MEASURED_MS)
    send({ kind: 'measure', isOn: false })
    arrivals.stop()
    const elapsedMs = performance.now() - before.ms
    const { cpuMs, memoryMb } = readUsage(app.pid())
    const upstream = service.statuses.length - before.upstream
    await wait(LATE_MS)
    send({ kind: 'report' })
    const report = await receive(client, 'report')
    return {
      ...summarizeDelays(report, arrivedAt, snapshots),
      'another request p95 ms': quantile(report.probes, 0.95),
      'requests upstream a minute': (upstream * 60_000) / elapsedMs,
      'requests a minute': (report.requests * 60_000) / elapsedMs,
      failed: report.failed,
      cores: (cpuMs - before.cpuMs) / elapsedMs,
      'memory MB': memoryMb,
    }
  } finally {
    arrivals.stop()
    client.kill()
  }
}

/** A snapshot begins with the service's first answer that has the lead. */
function summarizeDelays({ seen }: HerdReport, arrivedAt: ReadonlyMap<string, number>, snapshots: Snapshots) {
  const seconds = seen.flatMap(({ id, list, seenAt }) => {
    const arrived = arrivedAt.get(id) ?? Number.NaN
    const snapshot = snapshots[list].find(({ requestedAt }) => requestedAt >= arrived)?.answeredAt ?? Number.NaN
    return seenAt.map((moment) => (moment - snapshot) / 1000)
  })
  return {
    'snapshot to screen p50 s': quantile(seconds, 0.5),
    'p95 s': quantile(seconds, 0.95),
    'never seen': seen.reduce((sum, { wanted, seenAt }) => sum + wanted - seenAt.length, 0),
  }
}

/** Invents people, of whom a tenth have all schools, two tenths twenty, the others one to three. */
function inventPeople(schools: string[]): Member[] {
  return Array.from({ length: PEOPLE }, (_, index) => {
    const kind = index % 10
    if (kind === 0) return { role: 'staff', schools: 'all' }
    const many = kind < 3 ? 20 : 1 + (index % 3)
    const some = Array.from({ length: many }, (__, turn) => schools[(index * 7 + turn * 11) % schools.length] ?? '')
    return { role: 'staff', schools: [...new Set(some)] }
  })
}

async function receive<Kind extends Message['kind']>(client: ChildProcess, kind: Kind) {
  const ended = new AbortController()
  client.once('exit', () => ended.abort())
  for await (const [message] of on(client, 'message', { signal: ended.signal })) {
    const received: Message = message
    if (received.kind === kind) return received as Extract<Message, { kind: Kind }>
  }
  throw new Error('the pages have ended')
}
