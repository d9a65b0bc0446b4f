import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '@/server/base/database'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources, type ListSources } from '@/server/feed/list-source'
import { createDatabaseLists, singleInstanceLists, type SharedLists } from '@/server/feed/shared-lists'
import { createBudget } from '../budget'
import { createDatabaseBudgetStore } from '../budget-store'
import type { BudgetStore } from '../request-log'
import { createUpstreamClient } from '../client'
import { createMemoryBudgetStore } from './budget-doubles'
import { createInProcessTransport, type Transport } from '@/server/base/transport'
import type { VirtualTime } from './virtual-time'

const LIMITS = { perSecond: 10, perHour: 600 }
const ANSWER_MS = 300
/** Renewed in true time, while the clock of the test jumps. */
const LEASE_MS = 2 * 3_600_000

type Work = { underWay: number; waiting: number }
type World = {
  time: VirtualTime
  /** Null for an instance that is alone. */
  database: Db | null
  service: (request: Request) => Promise<Response>
  problems: string[]
  work: Work
  messages: ReturnType<typeof createMemoryEvents>
  /** Of an instance that is alone; outlives it. */
  store: BudgetStore
  /** How long the service takes for its first, second and further requests. */
  answerMs: (count: number) => number
  spans: { from: number; to: number }[]
}

/**
 * Instances that share a database (`atTestClock`), or one that is alone, on a clock that jumps as soon as none of them has
 * anything left to do. `problems` is what any of them reported.
 */
export function feedWorld(given: Pick<World, 'time' | 'database' | 'service'> & Partial<Pick<World, 'answerMs'>>) {
  const work = { underWay: 0, waiting: 0 }
  const own = { problems: [], work, messages: createMemoryEvents(), spans: [], store: createMemoryBudgetStore() }
  const world: World = { answerMs: () => ANSWER_MS, ...given, ...own }
  const { time } = world

  async function runUntil(end: number): Promise<void> {
    time.at(end, () => {})
    await quiet(world)
    while (time.now() < end && time.step()) await quiet(world)
  }
  return { problems: world.problems, spans: world.spans, begin: (name: string) => begin(world, name), runUntil }
}

function begin(world: World, name: string): Feed {
  const { time, work, problems } = world
  const now = () => Math.floor(time.now())
  const clock = { now, monotonic: time.now }
  const connect = connectionOf(world)
  const shared = counted(work, sharedListsOf(world, now), 'lead', 'read', 'publish')
  const store = counted(work, connect ? createDatabaseBudgetStore(connect) : world.store, 'update')
  const budget = createBudget({ limits: LIMITS, clock, store })
  const transport = slowTransport(world)
  const client = createUpstreamClient({ baseUrl: 'http://service.invalid', token: 'token', transport, budget, clock })
  const feed = createFeed({
    sources: countedSources(work, createListSources({ client, clock, yieldTurn: () => Promise.resolve() })),
    shared,
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

function sharedListsOf(world: World, now: () => number): SharedLists {
  const connect = connectionOf(world)
  if (connect === null) return singleInstanceLists
  const dataKeys = { current: new Uint8Array(32).fill(7), previous: null }
  return createDatabaseLists({ connect, events: world.messages.connect(), dataKeys, now, leaseMs: LEASE_MS })
}

function slowTransport({ time, service, work, spans, answerMs }: World): Transport {
  const answered = createInProcessTransport(service)
  return async (request) => {
    const span = { from: time.now(), to: Infinity }
    const count = spans.push(span)
    work.waiting++
    await new Promise<void>((resolve) => time.after(answerMs(count), resolve))
    work.waiting--
    const answer = await answered(request)
    span.to = time.now()
    return answer
  }
}

/** Until nobody has anything to do before the clock moves. */
async function quiet({ work }: World): Promise<void> {
  for (let calm = 0; calm < 2;) {
    await setImmediate()
    calm = work.underWay === work.waiting ? calm + 1 : 0
  }
}

/** The same, but that the work of these methods is waited for. */
function counted<T extends object>(work: Work, target: T, ...names: (keyof T)[]): T {
  const methods = names.map((name) => {
    const run = target[name] as (...args: unknown[]) => Promise<unknown>
    const andCount = (...args: unknown[]) => {
      work.underWay++
      return run(...args).finally(() => work.underWay--)
    }
    return [name, andCount]
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

/** Each use sets the clock of the database first. */
function connectionOf({ database, time }: World): (() => Promise<Db>) | null {
  if (database === null) return null
  let setAt = 0
  return async () => {
    if (setAt !== time.now())
      await database.execute(sql`update test_clock.clock set at = to_timestamp(${time.now()}::float8 / 1000)`)
    setAt = time.now()
    return database
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
