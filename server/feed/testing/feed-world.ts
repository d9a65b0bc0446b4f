import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import type { Db } from '@/server/base/database'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { createInProcessTransport, type Transport } from '@/server/base/transport'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources, type ListSources } from '@/server/feed/list-source'
import { createDatabaseLists, singleInstanceLists } from '@/server/feed/shared-lists'
import { createBudget } from '../budget'
import { createDatabaseBudgetStore } from '../budget-store'
import { createUpstreamClient } from '../client'
import { createMemoryBudgetStore } from './budget-doubles'
import { createVirtualTime } from './virtual-time'

export const START = Date.UTC(2026, 10, 20, 7)
const LIMITS = { perSecond: 10, perHour: 600 }
/** Renewed in true time, while the clock of the test jumps. */
const LEASE_MS = 2 * 3_600_000

/**
 * The service with its own limits, and instances that share a database (`atTestClock`) or one that is alone, on a clock that
 * jumps as soon as none of them has anything left to do. `problems` is what any of them reported. `answerMs` is how long the
 * service takes for its first, second and further requests.
 */
export function feedWorld({
  database = null,
  answerMs,
}: {
  database?: Db | null
  answerMs: (count: number) => number
}) {
  const time = createVirtualTime(START)
  const data = inventData({ tier: 'S', seed: 3, now: START })
  const source = createStore(data, new Map([['token', { label: 'ours', schools: 'all' }]]))
  const service = createReferenceService({ source, clock: time.now, limits: LIMITS, requestLogSize: 100_000 })
  const work = { underWay: 0, waiting: 0 }
  const problems: string[] = []
  const spans: { from: number; to: number }[] = []
  const messages = createMemoryEvents()
  /** Outlives an instance that is alone. */
  const ownStore = createMemoryBudgetStore()
  const now = () => Math.floor(time.now())
  const clock = { now, monotonic: time.now }

  const answered = createInProcessTransport((request) => service.handle(request))
  const slowTransport: Transport = async (request) => {
    const span = { from: time.now(), to: Infinity }
    const count = spans.push(span)
    work.waiting++
    await new Promise<void>((resolve) => time.after(answerMs(count), resolve))
    work.waiting--
    const answer = await answered(request)
    span.to = time.now()
    return answer
  }

  /** Each use sets the clock of the database first. */
  function connectTo(db: Db): () => Promise<Db> {
    let setAt = 0
    return async () => {
      if (setAt !== time.now())
        await db.execute(sql`update test_clock.clock set at = to_timestamp(${time.now()}::float8 / 1000)`)
      setAt = time.now()
      return db
    }
  }

  function begin(name: string): Feed {
    const connect = database && connectTo(database)
    const dataKeys = { current: new Uint8Array(32).fill(7), previous: null }
    const sharing = { events: messages.connect(), dataKeys, now, leaseMs: LEASE_MS }
    const shared = connect ? createDatabaseLists({ connect, ...sharing }) : singleInstanceLists
    const store = counted(work, connect ? createDatabaseBudgetStore(connect) : ownStore, 'update')
    const budget = createBudget({ limits: LIMITS, clock, store })
    const address = { baseUrl: 'http://service.invalid', token: 'token' }
    const client = createUpstreamClient({ ...address, transport: slowTransport, budget, clock })
    const feed = createFeed({
      sources: countedSources(work, createListSources({ client, clock, yieldTurn: () => Promise.resolve() })),
      shared: counted(work, shared, 'lead', 'read', 'publish'),
      requestsPerHour: budget.listsPerHour,
      now,
      schedule: time.after,
      random: () => 0,
      onChange: (list, { problem }) => void (problem && problems.push(`${name}, ${list}: ${problem.detail}`)),
      onError: (list, error) => void problems.push(`${name}, ${list}: ${String(error)}`),
    })
    feed.start()
    return feed
  }

  /** Until nobody has anything to do before the clock moves. */
  async function quiet(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      await setImmediate()
      calm = work.underWay === work.waiting ? calm + 1 : 0
    }
  }

  async function runUntil(end: number): Promise<void> {
    time.at(end, () => {})
    await quiet()
    while (time.now() < end && time.step()) await quiet()
  }

  return { time, source, service, problems, spans, begin, runUntil }
}

type Work = { underWay: number; waiting: number }

/** The same, but that the work of these methods is waited for. */
function counted<T extends object>(work: Work, target: T, ...names: (keyof T)[]): T {
  const methods = names.map((name) => {
    const run = target[name] as (...args: unknown[]) => Promise<unknown>
    const runAndCount = (...args: unknown[]) => {
      work.underWay++
      return run(...args).finally(() => work.underWay--)
    }
    return [name, runAndCount]
  })
  return { ...target, ...Object.fromEntries(methods) }
}

function countedSources(work: Work, { askedQuestions, declarations, highSchools }: ListSources): ListSources {
  return {
    askedQuestions: counted(work, askedQuestions, 'fetch'),
    declarations: counted(work, declarations, 'fetch'),
    highSchools: counted(work, highSchools, 'fetch'),
  }
}

/** To be run once: from then on new connections find the clock of the test before PostgreSQL's. */
export async function atTestClock(database: Db): Promise<void> {
  for (const statement of [
    sql`create schema test_clock`,
    sql`create table test_clock.clock (at timestamptz not null)`,
    sql`insert into test_clock.clock values (now())`,
    sql`create function test_clock.clock_timestamp() returns timestamptz language sql as 'select at from test_clock.clock'`,
    sql`do $$ begin execute format('alter database %I set search_path = test_clock, pg_catalog, public', current_database()); end $$`,
  ])
    await database.execute(statement)
}
