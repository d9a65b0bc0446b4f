import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FEED_LISTS } from '@/lib/contract/lists'
import { MAIL_OUTCOMES, SIGN_ON_CAUSES } from '@/lib/contract/feed-status'
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
  kind: ['unreachable', 'refused'],
  route: ['/api/events', '/api/health', '/api/health/ready', '/external'],
  outcome: [...MAIL_OUTCOMES, ...FETCH_OUTCOMES, ...SIGN_IN_OUTCOMES, ...SIGN_ON_CAUSES],
}
const EVERYWHERE = ['job', 'instance']

type Metric = { name: string; type: string; labels: readonly string[] }

async function ourMetrics(): Promise<Map<string, Metric>> {
  const { metrics } = metricsWorld()
  const found = await metrics.getMetricsAsJSON()
  return new Map(
    found.map(({ name, type }) => {
      const { labelNames = [] } = metrics.getSingleMetric(name) as { labelNames?: string[] }
      return [name, { name, type: String(type), labels: labelNames }]
    }),
  )
}

type Used = { expr: string; name: string; matchers: { label: string; operator: string; value: string }[] }

function usedIn(expr: string): Used[] {
  return [...expr.matchAll(/\b((?:intag|nodejs|process)_\w+)(\{[^}]*\})?/g)].map(([, name = '', selector = '']) => ({
    expr,
    name,
    matchers: [...selector.matchAll(/(\w+)\s*(=~|!=|!~|=)\s*"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    ),
  }))
}

function groupedBy(expr: string): string[] {
  return [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
}

function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: { targets?: { expr: string }[] }[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

function alertExpressions(): string[] {
  const found = readFileSync(ALERTS, 'utf8').matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)$)/gm)
  return [...found].map(([, block, line]) => block ?? line ?? '')
}

async function faultsOf(expressions: readonly string[]): Promise<string[]> {
  const ours = await ourMetrics()
  return expressions.flatMap((expr) => {
    const used = usedIn(expr)
    const known = used.map(({ name }) => ours.get(name) ?? histogramOf(ours, name))
    const labels = new Set([...EVERYWHERE, ...known.flatMap((metric) => metric?.labels ?? [])])
    return [
      ...used.filter((_, index) => known[index] === undefined).map(({ name }) => `${name} does not exist`),
      ...used.flatMap(({ name, matchers }, index) => matchers.flatMap((one) => faultOf(name, known[index], one))),
      ...groupedBy(expr)
        .filter((label) => !labels.has(label))
        .map((label) => `no label ${label} in ${expr}`),
    ]
  })
}

function histogramOf(ours: ReadonlyMap<string, Metric>, name: string): Metric | undefined {
  const found = ours.get(name.replace(/_(bucket|sum|count)$/, ''))
  return found?.type === 'histogram' ? { ...found, labels: [...found.labels, 'le'] } : undefined
}

function faultOf(name: string, metric: Metric | undefined, { label, value }: Used['matchers'][number]): string[] {
  if (EVERYWHERE.includes(label)) return []
  if (metric && !metric.labels.includes(label)) return [`${name} has no label ${label}`]
  return value.split('|').flatMap((one) => (VALUES[label]?.includes(one) ? [] : [`${label} is never ${one}`]))
}

test('the dashboard asks for what there is, in every panel', async () => {
  const expressions = dashboardExpressions()
  expect(expressions.length).toBeGreaterThan(30)
  expect(expressions.filter((expr) => usedIn(expr).length === 0)).toEqual([])
  expect(await faultsOf(expressions)).toEqual([])
})

test('each alert asks for what there is', async () => {
  const expressions = alertExpressions()
  expect(expressions).toHaveLength(readFileSync(ALERTS, 'utf8').match(/- alert: /g)?.length ?? 0)
  expect(await faultsOf(expressions)).toEqual([])
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
  counters.answered({ method: 'GET', url: '/', status: 200, seconds: 0.01 })
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await metrics.metrics() })
  const ours = String(stderr).match(/^intag_.*$/gm) ?? []
  expect([status === 0 || status === 3, ours]).toEqual([true, []])
})
