import { testServices } from '@/server/testing/services'
import { expect, test } from 'vitest'
import packageJson from '@/package.json'
import { serveMetrics } from './metrics'
import { metricsWorld, NOW } from './testing/metrics-world'

const env = { metricsToken: 'right', auth: { url: 'http://x.test', secret: 's'.repeat(32) } }

function ask(authorization?: string) {
  const { metrics } = metricsWorld()
  const parts = testServices({ env, metrics, viewers: { find: async () => null } })
  return serveMetrics(parts, new Request('http://x.test/', authorization ? { headers: { authorization } } : {}))
}

test('the gauges show each list, the budget and the stores', async () => {
  const answer = await ask('Bearer right')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('intag_'))
  expect(lines).toEqual([
    `intag_build_info{version="${packageJson.version}",node="${process.version}"} 1`,
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
    `intag_list_next_fetch_timestamp_seconds{list="asked-questions"} ${NOW / 1000 + 2}`,
    'intag_list_next_fetch_timestamp_seconds{list="declarations-of-interest"} Nan',
    'intag_list_next_fetch_timestamp_seconds{list="high-schools"} Nan',
    'intag_upstream_budget_limit_requests{window="second"} 10',
    'intag_upstream_budget_limit_requests{window="hour"} 600',
    'intag_upstream_budget_spent_requests{window="second"} 3',
    'intag_upstream_budget_spent_requests{window="hour"} 7',
    'intag_upstream_budget_left_requests{window="second"} 7',
    'intag_upstream_budget_left_requests{window="hour"} 593',
    'intag_database_up 1',
    'intag_last_backup_timestamp_seconds 1763600000',
    'intag_database_connections{state="in-use"} 2',
    'intag_database_connections{state="idle"} 8',
    'intag_database_connections{state="waiting"} 1',
    'intag_live_streams_open 12',
  ])
})

test('an age is never less than none, also where the clock of who asked is ahead', async () => {
  const { clock, lists, lines } = metricsWorld()
  const age = async () => (await lines()).find((line) => line.startsWith('intag_list_age_seconds{list="asked-q'))
  lists.questions = { ...lists.questions, fetchedAt: clock.now + 30_000 }
  expect(await age()).toMatch(/ 0$/)
})

test('an unreachable store is reported, and nothing fails with it', async () => {
  const { stores, lines } = metricsWorld()
  stores.databaseAnswers = false
  expect(await lines()).toEqual(expect.arrayContaining(['intag_database_up 0']))
})

test('without the token or an administrator’s session there is no answer', async () => {
  for (const authorization of [undefined, 'Bearer wrong', 'Basic right']) {
    expect((await ask(authorization)).status).toBe(401)
  }
})
