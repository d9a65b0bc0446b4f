import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '@/package.json'
import { createCounters } from '@/server/base/counters'
import { createEmptyListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { createMetrics, serveMetrics } from './metrics'

const NOW = Date.UTC(2026, 10, 20, 7)

function world({ execute = async () => ({ rows: [{ made_at: '1763600000' }] }) } = {}) {
  const empty = createEmptyListState<never>()
  const questions = { ...empty, fetchedAt: NOW - 4_000, nextAt: NOW + 2_000, fetchMs: 250, unreadable: 2 }
  const declarations = { ...empty, problem: { kind: 'unavailable', since: NOW - 9_000, detail: 'status 503' } as const }
  // The clock of the instance that fetched these is ahead.
  const schools = { ...empty, fetchedAt: NOW + 30_000 }
  const registry = new Registry()
  const counters = createCounters(registry)
  const metrics = createMetrics(
    testServices({
      feed: { askedQuestions: () => questions, declarations: () => declarations, highSchools: () => schools },
      budget: { usage: () => ({ spentThisHour: 7, perHour: 600, perSecond: 10 }), spentThisSecond: () => 3 },
      hub: { size: () => 12 },
      database: { connect: async () => ({ execute }), countConnections: () => ({ inUse: 2, idle: 8, waiting: 1 }) },
      registry,
      now: () => NOW,
    }),
  )
  const lines = async (name = 'intag_') => (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name))
  return { metrics, counters, lines }
}

test('the gauges show each list, the budget and the stores', async () => {
  const lines = await world().lines()
  const expected = [
    `intag_build_info{version="${packageJson.version}",node="${process.version}"} 1`,
    'intag_list_unreadable{list="asked-questions"} 2',
    'intag_list_age_seconds{list="asked-questions"} 4',
    `intag_list_next_fetch_timestamp_seconds{list="asked-questions"} ${NOW / 1000 + 2}`,
    'intag_upstream_budget_left_requests{window="second"} 7',
    'intag_upstream_budget_left_requests{window="hour"} 593',
    'intag_database_up 1',
    'intag_last_backup_timestamp_seconds 1763600000',
    'intag_database_connections{state="waiting"} 1',
    'intag_live_streams_open 12',
  ]
  expect(lines).toEqual(expect.arrayContaining(expected))
  expect(lines).toContain('intag_list_failing{list="declarations-of-interest"} 1')
  expect(lines, 'never fetched').toContain('intag_list_age_seconds{list="declarations-of-interest"} Nan')
  expect(lines, 'by a clock that is ahead').toContain('intag_list_age_seconds{list="high-schools"} 0')
})

test('an unreachable database is reported, and nothing fails with it', async () => {
  const { lines } = world({ execute: () => Promise.reject(new Error('away')) })
  expect(await lines('intag_database_up')).toEqual(['intag_database_up 0'])
})

test.each([
  ['Bearer right', 200],
  ['Bearer wrong', 401],
  ['', 401],
])('without an administrator’s session the authorization "%s" is answered %d', async (authorization, status) => {
  const env = { metricsToken: 'right', auth: { url: 'http://x.test', secret: 's'.repeat(32) } }
  const services = testServices({ env, metrics: world().metrics, viewers: { find: async () => null } })
  const answer = await serveMetrics(services, new Request('http://x.test/', { headers: { authorization } }))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, expect.stringContaining('no-store')])
})

describe('dashboard and alerts ask for what there is', () => {
  const ALERTS = 'deploy/prometheus-alerts.yaml'

  /** The series of ours and of Node that an expression names and Intag never has. */
  function findUnknown(expression: string): string[] {
    const { metrics } = world()
    const names = expression.match(/\b(?:intag|nodejs|process)_\w+/g) ?? []
    return names.filter((name) => {
      const series = [name, name.replace(/_(?:bucket|sum|count)$/, '')]
      return !series.some((known) => metrics.getSingleMetric(known))
    })
  }

  type Rules = { groups: { rules: { expr: string }[] }[] }
  type Dashboard = { panels: { targets?: { expr: string }[] }[] }
  test('in every panel and every rule', () => {
    const { panels } = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as Dashboard
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(shown.length).toBeGreaterThan(30)
    expect(shown.filter((expr) => !/\b(?:intag|nodejs|process)_/.test(expr))).toEqual([])
    const { groups } = parse(readFileSync(ALERTS, 'utf8')) as Rules
    const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
    expect(alerts.length).toBeGreaterThan(5)
    expect([...shown, ...alerts].flatMap(findUnknown)).toEqual([])
  })

  /** Debian has it in the package `prometheus`. */
  const hasPromtool = spawnSync('promtool', ['--version']).status === 0

  test.runIf(hasPromtool)('Prometheus takes rules and metrics, and the rules do what their stories say', async () => {
    const { metrics, counters } = world()
    counters.countRequest({ method: 'GET', url: '/', status: 200, seconds: 0.01 })
    const input = await metrics.metrics()
    const check = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8', input })
    expect(check('check', 'rules', ALERTS).stdout).toContain('SUCCESS')
    expect(check('test', 'rules', 'deploy/prometheus-alerts.test.yaml').stdout).toContain('SUCCESS')
    const { status, stderr } = check('check', 'metrics')
    // Of Node's own metrics some are named otherwise than Prometheus advises, which is status 3.
    expect([status === 0 || status === 3, stderr.match(/^intag_.*$/gm)]).toEqual([true, null])
  })
})
