import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LeadList } from '@/lib/contract/lead'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { inventSchools } from '@/reference-service/invented/data'
import type { Store } from '@/reference-service/store'
import type { HerdPlan, HerdReport, Message, Order, PagePlan, PersonPlan } from './herd-client'
import { quantile } from './measure'
import { type Answered, DATABASE, type Member, type RunningApp, TIER, withApp } from './running-app'

const PAGES = [1, 10, 100, 1000]
const PEOPLE = 300
const DECISIONS_A_MINUTE = 20
const MEASURED_MS = 45_000
const ARRIVAL_MS = 3_000
const OPENED_PER_SECOND = 25
/** A new stream invalidates the counts, which are fetched after 16 s. */
const SETTLE_MS = 32_000
const LATE_MS = 30_000

export function run(): Promise<object[]> {
  const sent: SentSnapshots = { 'declarations-of-interest': [], 'asked-questions': [] }
  const onAnswer = ({ path, status, at }: Answered) => {
    const list = LISTS_BY_PATH[path]
    if (status === 200 && list) sent[list].push({ asked: at, written: Date.now() })
  }
  const members = inventPeople(inventSchools(TIER).map(({ id }) => id))
  return withApp({ members, onAnswer }, async (app, store) => {
    const rows: object[] = []
    for (const count of PAGES) {
      const plan = { ...plansOf(app, members, count), perSecond: OPENED_PER_SECOND, decisions: DECISIONS_A_MINUTE }
      const figures = await withPages({ app, plan, store, sent })
      rows.push({ pages: count, database: DATABASE, ...figures })
    }
    return rows
  })
}

type SentSnapshots = Record<LeadList, { asked: number; written: number }[]>
const LISTS_BY_PATH: Record<string, LeadList | undefined> = {
  '/v1/external/conversions/declarationsOfInterest': 'declarations-of-interest',
  '/v1/external/conversions/askedQuestions': 'asked-questions',
}

type World = { app: RunningApp; plan: HerdPlan; store: Store; sent: SentSnapshots }

async function withPages({ app, plan, store, sent }: World) {
  const client = forkClient()
  const leads = new Map<string, number>()
  const arrivals = createArrivals({
    store,
    seed: Date.now(),
    meanMs: ARRIVAL_MS,
    onArrival(lead) {
      leads.set(lead.id, Date.now())
      const list = 'user' in lead ? 'declarations-of-interest' : 'asked-questions'
      send(client, { do: 'lead', lead: { id: lead.id, list, school: lead.highSchoolId } })
    },
  })
  try {
    send(client, { do: 'open', origin: app.origin, ...plan })
    await receive(client, 'open')
    await wait(SETTLE_MS)
    const before = { cpuMs: app.cpuMs(), at: performance.now() }
    send(client, { do: 'begin' })
    arrivals.start()
    await wait(MEASURED_MS)
    send(client, { do: 'end' })
    const elapsedMs = performance.now() - before.at
    const cores = (app.cpuMs() - before.cpuMs) / elapsedMs
    arrivals.stop()
    const memory = app.memoryMb()
    await wait(LATE_MS)
    send(client, { do: 'report' })
    const report = await receive(client, 'report')
    return {
      ...delaysOf(report, leads, sent),
      ...figuresOf(report, elapsedMs / 60_000),
      cores,
      'memory MB': memory,
    }
  } finally {
    arrivals.stop()
    client.kill()
  }
}

function figuresOf({ probes, ...report }: HerdReport, minutes: number) {
  const [other, inbox] = probes.map(({ p95Ms }) => p95Ms)
  const all = (what: 'refused' | 'failed') => probes.reduce((sum, probe) => sum + probe[what], report[what])
  return {
    'another request p95 ms': other ?? Number.NaN,
    'an inbox p95 ms': inbox ?? Number.NaN,
    'requests a minute': report.requests / minutes,
    'decisions a minute': report.decisions / minutes,
    'answered 503': all('refused'),
    failed: all('failed'),
    'streams lost': report.streamsLost,
  }
}

/** A snapshot begins with the service's first answer that has the lead. */
function delaysOf({ seen }: HerdReport, leads: ReadonlyMap<string, number>, sent: SentSnapshots) {
  const fromArrival: number[] = []
  const fromSnapshot: number[] = []
  let never = 0
  for (const { id, list, wanted, at } of seen) {
    const arrived = leads.get(id) ?? Number.NaN
    const snapshot = sent[list].find(({ asked }) => asked >= arrived)?.written ?? Number.NaN
    for (const moment of at) {
      fromArrival.push((moment - arrived) / 1000)
      fromSnapshot.push((moment - snapshot) / 1000)
    }
    never += wanted - at.length
  }
  return {
    'snapshot to screen p50 s': quantile(fromSnapshot, 0.5),
    'p95 s': quantile(fromSnapshot, 0.95),
    'arrival to screen p95 s': quantile(fromArrival, 0.95),
    'never seen': never,
  }
}

function inventPeople(schools: string[]): Member[] {
  const some = (index: number, many: number) =>
    Array.from({ length: many }, (_, at) => schools[(index * 7 + at * 11) % schools.length] ?? '')
  return Array.from({ length: PEOPLE }, (_, index) => {
    const kind = index % 10
    const reach = kind === 0 ? 'all' : [...new Set(some(index, kind < 3 ? 20 : 1 + (index % 3)))]
    return { name: `Person ${index}`, schools: reach }
  })
}

function plansOf({ cookies }: RunningApp, members: Member[], count: number) {
  const people: PersonPlan[] = members.map(({ schools }, index) => ({
    cookie: cookies[index] ?? '',
    schools: schools === 'all' ? 'all' : [...schools],
  }))
  const pages: PagePlan[] = Array.from({ length: count }, (_, index) => ({
    list: index % 4 === 3 ? 'asked-questions' : 'declarations-of-interest',
    person: index % people.length,
  }))
  return { people, pages }
}

function send(client: ChildProcess, order: Order): void {
  if (client.connected) client.send(order)
}

async function receive<T extends Message['type']>(client: ChildProcess, type: T) {
  const ended = new AbortController()
  client.once('exit', () => ended.abort())
  for await (const [message] of on(client, 'message', { signal: ended.signal })) {
    const heard: Message = message
    if (heard.type === type) return heard as Extract<Message, { type: T }>
  }
  throw new Error('the pages have ended')
}

/** Without the server's conditions, so that React's browser half loads. */
function forkClient(): ChildProcess {
  const execArgv = process.execArgv.filter((arg) => !arg.startsWith('--conditions'))
  return fork(fileURLToPath(new URL('herd-client.ts', import.meta.url)), { execArgv })
}
