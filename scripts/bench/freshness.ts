import { setImmediate } from 'node:timers/promises'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore, type Store } from '@/reference-service/store'
import { createFeed } from '@/server/feed/feed'
import { createListSources } from '@/server/feed/list-source'
import { singleInstanceLists } from '@/server/feed/shared-lists'
import { createVirtualTime, type VirtualTime } from '@/server/feed/testing/virtual-time'
import { createBudget } from '@/server/feed/budget'
import { createUpstreamClient } from '@/server/feed/client'
import { createMemoryBudgetStore } from '@/server/feed/testing/budget-doubles'
import { createInProcessTransport } from '@/server/base/transport'
import { maxInWindow, quantile } from './measure'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HISTORY_MS = 14 * DAY_MS
const LIMITS = { perSecond: 10, perHour: 600 }
const DAYS = { 'a day of the application': '2026-02-12', 'an autumn day': '2025-11-20', 'a summer day': '2025-07-15' }

export async function run(): Promise<object[]> {
  const rows: object[] = []
  for (const [day, date] of Object.entries(DAYS))
    rows.push(...(await oneDay(day, Date.parse(`${date}T00:00:00+01:00`))))
  return rows
}

async function oneDay(day: string, start: number) {
  const { time, store, arrivals } = inventDay(start)
  const { delays, fetches, sent, refused } = await live(time, store, start + DAY_MS + HOUR_MS)
  const best = optimalIntervals(arrivals)
  const optimum = mean(arrivals.map(({ list }) => best[list] / 2))
  const max = { second: maxInWindow(sent, 1000), hour: maxInWindow(sent, HOUR_MS) }
  const violations = refused + Number(max.second > LIMITS.perSecond) + Number(max.hour > LIMITS.perHour)
  const expected = mean(arrivals.map(({ list, at }) => gapAround(fetches[list], at) / 2))
  const row = (policy: string, all: number[], part: number, perHour: number, broken: number) => ({
    day,
    leads: arrivals.length,
    policy,
    'mean delay s': mean(all) / 1000,
    'p95 s': quantile(all, 0.95) / 1000,
    'expected, of the optimum': part,
    'requests an hour': perHour,
    violations: broken,
  })
  const delaysOfBest = arrivals.map(({ list, at }) => best[list] - (at % best[list]))
  return [
    row('Intag', delays, expected / optimum, max.hour, violations),
    row('theoretical optimum', delaysOfBest, 1, LIMITS.perHour, 0),
  ]
}

function inventDay(start: number): { time: VirtualTime; store: Store; arrivals: Arrival[] } {
  const data = inventData({ tier: 'XL', seed: 7, now: start + DAY_MS })
  const between = <L extends { createdAt: string }>(leads: L[], from: number, until: number) =>
    leads.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) < until)
  const known = {
    highSchools: data.highSchools,
    askedQuestions: between(data.askedQuestions, start - HISTORY_MS, start),
    declarationsOfInterest: between(data.declarationsOfInterest, start - HISTORY_MS, start),
  }
  const time = createVirtualTime(start)
  const store = createStore(known, new Map([['token', { label: 'bench', schools: 'all' }]]))
  const arrivals: Arrival[] = []
  const arrive = (list: Arrival['list'], createdAt: string, add: () => void) => {
    const at = Date.parse(createdAt)
    arrivals.push({ list, at })
    time.at(at, add)
  }
  for (const lead of between(data.askedQuestions, start, start + DAY_MS)) {
    arrive('askedQuestions', lead.createdAt, () => store.addAskedQuestion(lead))
  }
  for (const lead of between(data.declarationsOfInterest, start, start + DAY_MS)) {
    arrive('declarations', lead.createdAt, () => store.addDeclaration(lead))
  }
  return { time, store, arrivals }
}

async function live(time: VirtualTime, store: Store, end: number) {
  const now = () => time.now()
  const service = createReferenceService({ source: store, clock: now, limits: LIMITS, requestLogSize: 100_000 })
  const clock = { now, monotonic: now }
  const budget = createBudget({ limits: LIMITS, clock, store: createMemoryBudgetStore() })
  const transport = createInProcessTransport((request) => service.handle(request))
  const client = createUpstreamClient({ baseUrl: 'http://bench.invalid', token: 'token', transport, budget, clock })
  const underWay = new Set<Promise<unknown>>()
  const delays: number[] = []
  const newestSeen = { 'asked-questions': now(), 'declarations-of-interest': now() }
  const lists = createListSources({ client, clock, yieldTurn: () => setImmediate() })
  const feed = createFeed({
    shared: singleInstanceLists,
    sources: {
      askedQuestions: { ...lists.askedQuestions, fetch: counted(underWay, lists.askedQuestions.fetch) },
      declarations: { ...lists.declarations, fetch: counted(underWay, lists.declarations.fetch) },
      highSchools: { ...lists.highSchools, fetch: counted(underWay, lists.highSchools.fetch) },
    },
    requestsPerHour: budget.listsPerHour,
    now,
    schedule: time.after,
    random: () => 0.5,
    onError: (_list, error) => {
      throw error
    },
    onChange: (list, _state, isNew) => {
      if (!isNew || list === 'high-schools') return
      const { content } = list === 'asked-questions' ? feed.askedQuestions() : feed.declarations()
      const moments = content?.table.createdAt ?? new Float64Array()
      for (const createdAt of moments) {
        if (createdAt <= newestSeen[list]) break
        delays.push(now() - createdAt)
      }
      newestSeen[list] = Math.max(newestSeen[list], moments[0] ?? 0)
    },
  })
  feed.start()
  for (let at = now(); at < end; at += 10_000) time.at(at, feed.markWatched)
  while (time.now() < end && time.step()) {
    await setImmediate()
    while (underWay.size > 0) await Promise.all(underWay).then(() => setImmediate())
  }
  feed.stop()
  const sent = service.requests.map(({ at }) => at)
  const ofPath = (part: string) => service.requests.filter(({ path }) => path.includes(part)).map(({ at }) => at)
  const fetches = { askedQuestions: ofPath('askedQuestions'), declarations: ofPath('declarationsOfInterest') }
  return { delays, fetches, sent, refused: service.requests.filter(({ status }) => status === 429).length }
}

function counted<A extends unknown[], R>(underWay: Set<Promise<unknown>>, fetchList: (...args: A) => Promise<R>) {
  return (...args: A): Promise<R> => {
    const work = fetchList(...args).finally(() => underWay.delete(work))
    underWay.add(work)
    return work
  }
}

type Arrival = { list: 'askedQuestions' | 'declarations'; at: number }
type Intervals = Record<Arrival['list'], number>

/** By the square root of the true rates: the least mean delay (Cho & Garcia-Molina 2003). */
function optimalIntervals(arrivals: readonly Arrival[]): Intervals {
  const count = arrivals.filter(({ list }) => list === 'declarations').length
  const [declarations, askedQuestions] = [Math.sqrt(count), Math.sqrt(arrivals.length - count)]
  const whole = (HOUR_MS * (declarations + askedQuestions)) / LIMITS.perHour
  return { declarations: whole / declarations, askedQuestions: whole / askedQuestions }
}

function gapAround(fetches: readonly number[], moment: number): number {
  const next = fetches.findIndex((at) => at >= moment)
  return (fetches[next] ?? Infinity) - (fetches[next - 1] ?? fetches[0] ?? 0)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
