import 'server-only'
import { setImmediate } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { createRedisSeal } from '@/server/base/redis-seal'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources, type ListSources } from '@/server/feed/list-source'
import { singleInstanceLists, createRedisLists, type SharedLists } from '@/server/feed/shared-lists'
import { createBudget } from '../budget'
import { createRedisBudgetStore } from '../budget-store'
import type { BudgetStore } from '../request-log'
import { createUpstreamClient } from '../client'
import { createMemoryBudgetStore } from './budget-doubles'
import type { PrivateRedis } from './private-redis'
import { createInProcessTransport, type Transport } from '@/server/base/transport'
import type { VirtualTime } from './virtual-time'

const LIMITS = { perSecond: 10, perHour: 600 }
const ANSWER_MS = 300
/** In true time, so that no lease ends because a test is slow. */
const LEASE_MS = 60_000

type Work = { underWay: number; waiting: number }
type World = {
  time: VirtualTime
  redis: Pick<PrivateRedis, 'connect'> | null
  service: (request: Request) => Promise<Response>
  problems: string[]
  work: Work
  connections: Redis[]
  /** Of an instance without Redis; outlives it. */
  store: BudgetStore
  /** How long the service takes for its first, second and further requests. */
  answerMs: (count: number) => number
  spans: { from: number; to: number }[]
}

/**
 * Instances that share a true Redis, or one that is alone without, on a clock that jumps as soon as all of them and Redis
 * have nothing left to do. `problems` is what any of them reported.
 */
export function redisWorld(given: Pick<World, 'time' | 'redis' | 'service'> & Partial<Pick<World, 'answerMs'>>) {
  const work = { underWay: 0, waiting: 0 }
  const own = { problems: [], work, connections: [], spans: [], store: createMemoryBudgetStore() }
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
  const spending = connectionOf(world, now)
  const shared = counted(work, sharedListsOf(world, now), 'lead', 'read', 'publish')
  const store = counted(work, spending ? createRedisBudgetStore(spending) : world.store, 'update')
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
  const [commands, subscriber] = [connectionOf(world, now), connectionOf(world, now)]
  const seal = createRedisSeal({ keys: { current: new Uint8Array(32).fill(7), previous: null }, onForeign: () => {} })
  if (commands === null || subscriber === null) return singleInstanceLists
  return createRedisLists({ commands, subscriber, seal, now, leaseMs: LEASE_MS })
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

/** Until nobody has anything to do before the clock moves; a round trip comes back after every message before it. */
async function quiet({ work, connections }: World): Promise<void> {
  for (let calm = 0; calm < 2;) {
    await setImmediate()
    if (work.underWay === work.waiting) await Promise.all(connections.map((connection) => connection.ping()))
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

/** A connection to a Redis that goes by the clock of the test. */
function connectionOf({ redis, connections }: World, now: () => number): Redis | null {
  if (redis === null) return null
  const connection = redis.connect()
  connections.push(connection)
  const run = connection.eval.bind(connection) as (...command: unknown[]) => Promise<unknown>
  Reflect.set(connection, 'time', async () => [String(Math.floor(now() / 1_000)), String((now() % 1_000) * 1_000)])
  Reflect.set(connection, 'eval', async (...command: unknown[]) => {
    const reply = await run(...command)
    // What the budget reads: its version, the moment, the log.
    return Array.isArray(reply) && reply.length === 3 ? [reply[0], now(), reply[2]] : reply
  })
  return connection
}
