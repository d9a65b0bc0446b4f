import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { FEED_LISTS } from '@/lib/contract/lists'
import { MAIL_OUTCOMES, SIGN_ON_CAUSES } from '@/lib/contract/service-report'
import { metricsWorld } from './testing/metrics-world'

const DASHBOARD = 'deploy/grafana-dashboard.json'
const ALERTS = 'deploy/prometheus-alerts.yaml'

const PROBLEMS = ['unauthenticated', 'unauthorized', 'rate-limited', 'unavailable', 'unreadable']
const FETCH_OUTCOMES = ['ok', 'not-modified', 'not-found', 'no-budget', ...PROBLEMS]
const SIGN_IN_OUTCOMES = ['accepted', 'refused', 'second-factor-needed', 'too-many-attempts', 'busy', 'failed']
const VALUES: Record<string, readonly string[]> = {
  list: FEED_LISTS,
  window: ['second', 'hour'],
  state: ['in-use', 'idle', 'waiting'],
  status: ['1xx', '2xx', '3xx', '4xx', '5xx'],
  purpose: ['list', 'lookup'],
  route: ['/api/events', '/api/health', '/api/health/ready', '/external'],
  outcome: [...MAIL_OUTCOMES, ...FETCH_OUTCOMES, ...SIGN_IN_OUTCOMES, ...SIGN_ON_CAUSES],
}
const BY_PROMETHEUS = ['job', 'instance']

/** The labels of each series that Intag has. */
async function ourSeries(): Promise<Map<string, readonly string[]>> {
  const { metrics } = metricsWorld()
  const found = await metrics.getMetricsAsJSON()
  return new Map(
    found.flatMap(({ name, type }): [string, string[]][] => {
      const { labelNames = [] } = metrics.getSingleMetric(name) as { labelNames?: string[] }
      if (String(type) !== 'histogram') return [[name, labelNames]]
      return ['_bucket', '_sum', '_count'].map((part) => [name + part, [...labelNames, 'le']])
    }),
  )
}

/** What the expressions name and Intag never has: a series, a label, or a label's value. */
async function findUnknown(expressions: readonly string[]): Promise<string[]> {
  const ours = await ourSeries()
  return expressions.flatMap((expr) => {
    const used = [...expr.matchAll(/\b((?:intag|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
    const grouped = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
    const known = new Set([...BY_PROMETHEUS, ...used.flatMap(([, name = '']) => ours.get(name) ?? [])])
    const ofSeries = used.flatMap(([, name = '', selector = '']) => {
      const labels = ours.get(name)
      if (labels === undefined) return [name]
      const matchers = [...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)\s*"([^"]*)"/g)]
      return matchers.flatMap(([, label = '', values = '']) => {
        if (BY_PROMETHEUS.includes(label)) return []
        if (!labels.includes(label)) return [`${name}{${label}}`]
        return values.split('|').flatMap((value) => (VALUES[label]?.includes(value) ? [] : [`${label}="${value}"`]))
      })
    })
    return [...ofSeries, ...grouped.filter((label) => !known.has(label)).map((label) => `by (${label}): ${expr}`)]
  })
}

const dashboardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
})
const alertsSchema = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })) })

test('the dashboard asks for what there is, in every panel', async () => {
  const { panels } = dashboardSchema.parse(JSON.parse(readFileSync(DASHBOARD, 'utf8')))
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(30)
  expect(expressions.filter((expr) => !/\b(?:intag|nodejs|process)_/.test(expr))).toEqual([])
  expect(await findUnknown(expressions)).toEqual([])
})

test('each alert asks for what there is', async () => {
  const { groups } = alertsSchema.parse(parse(readFileSync(ALERTS, 'utf8')))
  expect(await findUnknown(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)))).toEqual([])
})

/** Debian has it in the package `prometheus`. */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.runIf(hasPromtool)('Prometheus itself takes the rules, and they do what their stories say', () => {
  const check = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' })
  expect(check('check', 'rules', ALERTS)).toContain('SUCCESS')
  expect(check('test', 'rules', 'deploy/prometheus-alerts.test.yaml')).toContain('SUCCESS')
})

test.runIf(hasPromtool)('Prometheus can read the metrics', async () => {
  const { metrics, counters } = metricsWorld()
  counters.countRequest({ method: 'GET', url: '/', status: 200, seconds: 0.01 })
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await metrics.metrics() })
  const ours = String(stderr).match(/^intag_.*$/gm) ?? []
  expect([status === 0 || status === 3, ours]).toEqual([true, []])
})
