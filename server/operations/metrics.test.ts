import { expect, test } from 'vitest'
import type { SignOnCause } from '@/lib/contract/single-sign-on'
import { emptyListState, type ListState } from '@/server/feed/list-refresher'
import { createMetrics, serveMetrics } from './metrics'

const NOW = Date.UTC(2026, 10, 20, 7)

function openMetrics() {
  const failing = { kind: 'unavailable', since: NOW - 9_000, detail: 'status 503' } as const
  const fetched: ListState<never> = { ...emptyListState<never>(), fetchedAt: NOW - 4_000, unreadable: 2 }
  const feed = {
    askedQuestions: () => fetched,
    declarations: () => ({ ...emptyListState<never>(), problem: failing }),
    highSchools: () => emptyListState<never>(),
  }
  const budget = { usage: () => ({ spentThisHour: 7, perHour: 600, perSecond: 10 }) }
  const load = { underWay: () => 3, turnedAway: () => 5 }
  const metrics = createMetrics({ feed, budget, load, now: () => NOW })
  const env = { metricsToken: 'right', auth: { url: 'http://x.test', secret: 's'.repeat(32) } }
  const parts = { env, metrics, viewers: { find: async () => null } }
  return (authorization?: string) =>
    serveMetrics(parts, new Request('http://x.test/', authorization ? { headers: { authorization } } : {}))
}

test('the gauges show each list, the budget and the load', async () => {
  const answer = await openMetrics()('Bearer right')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('intag_'))
  expect(lines).toEqual([
    'intag_list_records{list="asked-questions"} 0',
    'intag_list_records{list="declarations-of-interest"} 0',
    'intag_list_records{list="high-schools"} 0',
    'intag_list_unreadable{list="asked-questions"} 2',
    'intag_list_unreadable{list="declarations-of-interest"} 0',
    'intag_list_unreadable{list="high-schools"} 0',
    'intag_list_age_seconds{list="asked-questions"} 4',
    'intag_list_age_seconds{list="declarations-of-interest"} Nan',
    'intag_list_age_seconds{list="high-schools"} Nan',
    'intag_list_failing{list="asked-questions"} 0',
    'intag_list_failing{list="declarations-of-interest"} 1',
    'intag_list_failing{list="high-schools"} 0',
    'intag_upstream_spent_this_hour 7',
    'intag_upstream_per_hour 600',
    'intag_requests_under_way 3',
    'intag_requests_turned_away 5',
  ])
})

test('single sign-on has a gauge where there is a provider', async () => {
  const feed = {
    askedQuestions: () => emptyListState<never>(),
    declarations: () => emptyListState<never>(),
    highSchools: () => emptyListState<never>(),
  }
  const sources = {
    feed,
    budget: { usage: () => ({ spentThisHour: 0, perHour: 600, perSecond: 10 }) },
    load: { underWay: () => 0, turnedAway: () => 0 },
    now: () => NOW,
  }
  const textWith = (problem: SignOnCause | null) =>
    createMetrics({ ...sources, providerCheck: { problem: () => problem } }).getSingleMetricAsString(
      'intag_sign_on_failing',
    )
  expect(await textWith(null)).toMatch(/intag_sign_on_failing 0$/)
  expect(await textWith('certificate')).toMatch(/intag_sign_on_failing 1$/)
})

test('who has neither the token nor a session of an administrator gets nothing', async () => {
  const ask = openMetrics()
  for (const authorization of [undefined, 'Bearer wrong', 'Basic right']) {
    expect((await ask(authorization)).status).toBe(401)
  }
})
