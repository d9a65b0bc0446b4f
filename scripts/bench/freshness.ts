import { setImmediate } from 'node:timers/promises'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { SPECIFIED_RATE_LIMITS } from '@/reference-service/specification'
import { createStore } from '@/reference-service/store'
import { createInProcessTransport } from '@/server/base/transport'
import { createBudget } from '@/server/feed/budget'
import { createUpstreamClient } from '@/server/feed/client'
import { createFeed } from '@/server/feed/feed'
import { createListSources } from '@/server/feed/list-source'
import { singleInstanceLists } from '@/server/feed/shared-lists'
import { createMemoryBudgetStore } from '@/server/feed/testing/budget-doubles'
import { createVirtualTime } from '@/server/feed/testing/virtual-time'

const HISTORY_MS = 14 * DAY_MS
const DAYS = { 'a day of the application': '2026-02-12', 'an autumn day': '2025-11-20', 'a summer day': '2025-07-15' }
const LISTS = ['askedQuestions', 'declarationsOfInterest'] as const

type Leads = Record<(typeof LISTS)[number], number[]>

/** Compares a lead's mean delay to the screen (tier XL) with the optimum under the same limits. */
export async function run(): Promise<object[]> {
  const rows: object[] = []
  for (const [day, date] of Object.entries(DAYS)) {
    const { arrivals, fetches, violations } = await simulateDay(Date.parse(`${date}T00:00:00+01:00`))
    const best = optimalIntervals(arrivals)
    const optimum = meanDelay(arrivals, (list) => best[list])
    const expected = meanDelay(arrivals, (list, moment) => gapAround(fetches[list], moment))
    rows.push({
      day,
      leads: LISTS.reduce((sum, list) => sum + arrivals[list].length, 0),
      'mean delay s': expected / 1000,
      'of the optimum': expected / optimum,
      violations,
    })
  }
  return rows
}

/** Simulates a day of the feed in virtual time, while users watch. */
async function simulateDay(start: number) {
  const time = createVirtualTime(start)
  const { now } = time
  const { store, arrivals } = inventDay(start, time.scheduleAt)
  const handle = createReferenceService({ source: store, clock: now })
  const requests: { path: string; sentAt: number; status: number }[] = []
  const clock = { now, monotonic: now }
  const budget = createBudget({ limits: SPECIFIED_RATE_LIMITS, clock, store: createMemoryBudgetStore(clock.now) })
  const underWay = new Set<Promise<unknown>>()
  const trackWork =
    <A extends unknown[], R>(fetchList: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const work = fetchList(...args).finally(() => underWay.delete(work))
      underWay.add(work)
      return work
    }
  const transport = createInProcessTransport(async (request) => {
    const sentAt = now()
    const answer = await handle(request)
    requests.push({ path: request.url, sentAt, status: answer.status })
    return answer
  })
  const client = createUpstreamClient({ baseUrl: 'http://bench.invalid', token: 'token', transport, budget, clock })
  const { askedQuestions, declarations, highSchools } = createListSources({ client, clock })
  const feed = createFeed({
    sharedLists: singleInstanceLists,
    sources: {
      askedQuestions: { ...askedQuestions, fetch: trackWork(askedQuestions.fetch) },
      declarations: { ...declarations, fetch: trackWork(declarations.fetch) },
      highSchools: { ...highSchools, fetch: trackWork(highSchools.fetch) },
    },
    requestsPerHour: budget.listFetchesPerHour,
    now,
    schedule: time.scheduleAfter,
    random: () => 0.5,
    onError: (_list, error) => {
      throw error
    },
    onChange: () => {},
  })
  feed.start()
  const end = start + DAY_MS + HOUR_MS
  for (let moment = start; moment < end; moment += 10_000) time.scheduleAt(moment, feed.markWatched)
  while (now() < end && time.step()) {
    await setImmediate()
    while (underWay.size > 0) await Promise.all(underWay).then(() => setImmediate())
  }
  feed.stop()
  const listFetches = (list: string) => requests.filter(({ path }) => path.includes(list)).map(({ sentAt }) => sentAt)
  return {
    arrivals,
    fetches: { askedQuestions: listFetches(LISTS[0]), declarationsOfInterest: listFetches(LISTS[1]) },
    // The service counts both sliding windows itself.
    violations: requests.filter(({ status }) => status === 429).length,
  }
}

/** Creates a store with the leads before a day, to which those of the day are added at their moments. */
function inventDay(start: number, scheduleAt: (moment: number, run: () => void) => void) {
  const data = inventData({ tier: 'XL', seed: 7, now: start + DAY_MS })
  const between = <L extends { createdAt: string }>(leads: L[], fromMs: number, untilMs: number) =>
    leads.filter(({ createdAt }) => Date.parse(createdAt) >= fromMs && Date.parse(createdAt) < untilMs)
  const known = {
    highSchools: data.highSchools,
    askedQuestions: between(data.askedQuestions, start - HISTORY_MS, start),
    declarationsOfInterest: between(data.declarationsOfInterest, start - HISTORY_MS, start),
  }
  const store = createStore(known, new Map([['token', 'all']]))
  const arriving = <L extends { createdAt: string }>(leads: L[], add: (lead: L) => void): number[] =>
    between(leads, start, start + DAY_MS).map((lead) => {
      const moment = Date.parse(lead.createdAt)
      scheduleAt(moment, () => add(lead))
      return moment
    })
  const arrivals = {
    askedQuestions: arriving(data.askedQuestions, store.addAskedQuestion),
    declarationsOfInterest: arriving(data.declarationsOfInterest, store.addDeclaration),
  }
  return { store, arrivals }
}

/** Intervals by the square root of the true rates give the least mean delay (Cho & Garcia-Molina 2003). */
function optimalIntervals({ askedQuestions, declarationsOfInterest }: Leads) {
  const questions = Math.sqrt(askedQuestions.length)
  const declarations = Math.sqrt(declarationsOfInterest.length)
  const whole = (HOUR_MS * (declarations + questions)) / SPECIFIED_RATE_LIMITS.perHour
  return { askedQuestions: whole / questions, declarationsOfInterest: whole / declarations }
}

/** Leads arrive at any moment between two fetches, so they wait half of the gap on average. */
function meanDelay(arrivals: Leads, gap: (list: (typeof LISTS)[number], moment: number) => number): number {
  const delays = LISTS.flatMap((list) => arrivals[list].map((moment) => gap(list, moment) / 2))
  return delays.reduce((sum, delay) => sum + delay, 0) / delays.length
}

function gapAround(fetches: readonly number[], moment: number): number {
  const next = fetches.findIndex((fetchedAt) => fetchedAt >= moment)
  return (fetches[next] ?? Infinity) - (fetches[next - 1] ?? fetches[0] ?? 0)
}
