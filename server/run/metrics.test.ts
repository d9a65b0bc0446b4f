import { expect, test } from 'vitest'
import packageJson from '@/package.json'
import { testServices } from '@/server/testing/services'
import { serveMetrics } from './metrics'
import { metricsWorld, NOW } from './testing/metrics-world'

test('the gauges show each list, the budget and the stores', async () => {
  const lines = await metricsWorld().lines()
  const ofOtherLists = /\{list="(declarations|high)/
  expect(lines.filter((line) => !ofOtherLists.test(line))).toEqual([
    `intag_build_info{version="${packageJson.version}",node="${process.version}"} 1`,
    'intag_list_records{list="asked-questions"} 0',
    'intag_list_unreadable{list="asked-questions"} 2',
    'intag_list_age_seconds{list="asked-questions"} 4',
    'intag_list_failing{list="asked-questions"} 0',
    `intag_list_next_fetch_timestamp_seconds{list="asked-questions"} ${NOW / 1000 + 2}`,
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
  expect(lines).toContain('intag_list_failing{list="declarations-of-interest"} 1')
  expect(lines, 'never fetched').toContain('intag_list_age_seconds{list="declarations-of-interest"} Nan')
  expect(lines, 'by a clock that is ahead').toContain('intag_list_age_seconds{list="high-schools"} 0')
})

test('an unreachable database is reported, and nothing fails with it', async () => {
  const { stores, lines } = metricsWorld()
  stores.databaseAnswers = false
  expect(await lines('intag_database_up')).toEqual(['intag_database_up 0'])
})

test.each([
  ['Bearer right', 200],
  ['Bearer wrong', 401],
  ['', 401],
])('without an administrator’s session the authorization "%s" is answered %d', async (authorization, status) => {
  const env = { metricsToken: 'right', auth: { url: 'http://x.test', secret: 's'.repeat(32) } }
  const services = testServices({ env, metrics: metricsWorld().metrics, viewers: { find: async () => null } })
  const answer = await serveMetrics(services, new Request('http://x.test/', { headers: { authorization } }))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, expect.stringContaining('no-store')])
})
