import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { createInProcessTransport, type Transport } from '@/server/base/transport'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources, type ListSources } from '@/server/feed/list-source'
import { singleInstanceLists } from '@/server/feed/shared-lists'
import { createBudget } from '../budget'
import { createUpstreamClient } from '../client'
import { createMemoryBudgetStore } from './budget-doubles'
import { createVirtualTime } from './virtual-time'

export const START = Date.UTC(2026, 10, 20, 7)
const LIMITS = { perSecond: 10, perHour: 600 }

/**
 * The service with its own limits, and instances of Intag with one store, on a clock that jumps as soon as none of them has
 * anything left to do. `problems` has the reports of all. `answerMs` returns how long the service takes for its nth request.
 */
export function feedWorld({ answerMs }: { answerMs: (count: number) => number }) {
  const time = createVirtualTime(START)
  const data = inventData({ tier: 'S', seed: 3, now: START })
  const source = createStore(data, new Map([['token', { label: 'ours', schools: 'all' }]]))
  const service = createReferenceService({ source, clock: time.now, limits: LIMITS, requestLogSize: 100_000 })
  const work = { underWay: 0, waiting: 0 }
  const problems: string[] = []
  const spans: { startedAt: number; endedAt: number }[] = []
  /** The store outlives an instance. */
  const ownStore = createMemoryBudgetStore()
  const now = () => Math.floor(time.now())
  const clock = { now, monotonic: time.now }

  const answered = createInProcessTransport((request) => service.handle(request))
  const slowTransport: Transport = async (request) => {
    const span = { startedAt: time.now(), endedAt: Infinity }
    const count = spans.push(span)
    work.waiting++
    await new Promise<void>((resolve) => time.scheduleAfter(answerMs(count), resolve))
    work.waiting--
    const answer = await answered(request)
    span.endedAt = time.now()
    return answer
  }

  function begin(name: string): Feed {
    const store = counted(work, ownStore, 'update')
    const budget = createBudget({ limits: LIMITS, clock, store })
    const address = { baseUrl: 'http://service.invalid', token: 'token' }
    const client = createUpstreamClient({ ...address, transport: slowTransport, budget, clock })
    const feed = createFeed({
      sources: countedSources(work, createListSources({ client, clock, yieldTurn: () => Promise.resolve() })),
      sharedLists: counted(work, singleInstanceLists, 'acquireLease', 'read', 'publish'),
      requestsPerHour: budget.listsPerHour,
      now,
      schedule: time.scheduleAfter,
      random: () => 0,
      onChange: (list, { problem }) => void (problem && problems.push(`${name}, ${list}: ${problem.detail}`)),
      onError: (list, error) => void problems.push(`${name}, ${list}: ${String(error)}`),
    })
    feed.start()
    return feed
  }

  /** It resolves when nobody has anything to do before the clock moves. */
  async function quiet(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      await setImmediate()
      calm = work.underWay === work.waiting ? calm + 1 : 0
    }
  }

  async function runUntil(end: number): Promise<void> {
    time.scheduleAt(end, () => {})
    await quiet()
    while (time.now() < end && time.step()) await quiet()
  }

  return { time, source, service, problems, spans, begin, runUntil }
}

type Work = { underWay: number; waiting: number }

/** Returns `target` with these methods counted as work while they run. */
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
