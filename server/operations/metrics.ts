import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import packageJson from '@/package.json'
import type { ProviderCheck } from '@/server/access/provider-check'
import { signedIn, type Viewers } from '@/server/access/session'
import { may } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import type { StreamPlaces } from '@/server/events/stream-events'
import type { Load } from '@/server/http/load'
import type { Budget } from '@/server/upstream/budget'
import { type DatabaseFigures, databaseMetrics, type RedisFigures, redisMetrics } from './store-metrics'
import { type FeedStates, listMetrics } from './list-metrics'
import { keptCounter, single } from './registry'
import type { Tallies } from './tallies'

type Parts = { env: Pick<Env, 'auth' | 'metricsToken'>; viewers: Viewers; metrics: Registry }

/** Prometheus text for whoever holds METRICS_TOKEN, or an administrator. */
export async function serveMetrics(parts: Parts, request: Request): Promise<Response> {
  const { env, metrics } = parts
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const allowed = token !== undefined ? isToken(token, env.metricsToken) : await isAdmin(parts, request)
  const headers = { 'cache-control': 'no-store' }
  if (!allowed) return Response.json({ error: 'Unauthenticated' }, { status: 401, headers })
  return new Response(await metrics.metrics(), { headers: { ...headers, 'content-type': metrics.contentType } })
}

/** Hashed first, so that neither length nor content shows in the time it takes. */
function isToken(given: string, expected: string | null): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return expected !== null && timingSafeEqual(hash(given), hash(expected))
}

async function isAdmin(parts: Parts, request: Request): Promise<boolean> {
  const found = await signedIn(parts, request).catch(() => null)
  return found !== null && may(found.viewer, 'admin')
}

type Sources = {
  feed: FeedStates
  budget: Pick<Budget, 'usage' | 'spentThisSecond'>
  load: Pick<Load, 'underWay' | 'turnedAway'>
  providerCheck?: Pick<ProviderCheck, 'problem'> | null
  streamPlaces: Pick<StreamPlaces, 'open'>
  database: DatabaseFigures
  redis: RedisFigures | null
  tallies: Pick<Tallies, 'register'>
  now: () => number
  /** Milliseconds on a clock that never steps. */
  monotonic?: () => number
}

/**
 * What a Prometheus server reads of this instance: the process, the lists, the budget, requests, streams, stores and
 * sign-ins. Names have their unit at the end and counters `_total` (prometheus.io/docs/practices/naming); those of before
 * that convention stay, because people watch them.
 */
export function createMetrics(sources: Sources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  buildInfo(registry)
  listMetrics(registry, sources)
  budgetMetrics(registry, sources)
  loadMetrics(registry, sources)
  databaseMetrics(registry, sources.database)
  if (sources.redis) redisMetrics(registry, sources.redis)
  sources.tallies.register(registry)
  const { providerCheck, streamPlaces } = sources
  single(registry, 'intag_live_streams_open', 'Live streams of browser tabs that are open', streamPlaces.open)
  if (providerCheck)
    single(registry, 'intag_sign_on_failing', '1 while the provider of single sign-on cannot be used', () =>
      Number(providerCheck.problem() !== null),
    )
  return registry
}

function buildInfo(registry: Registry): void {
  const labelNames = ['version', 'node']
  const gauge = new Gauge({
    name: 'intag_build_info',
    help: 'Which version of Intag runs on which Node; always 1',
    labelNames,
    registers: [],
  })
  gauge.set({ version: packageJson.version, node: process.version }, 1)
  registry.registerMetric(gauge)
}

function budgetMetrics(registry: Registry, { budget }: Sources): void {
  const windows = () => {
    const { perSecond, perHour, spentThisHour } = budget.usage()
    const second = { limit: perSecond, spent: budget.spentThisSecond() }
    return Object.entries({ second, hour: { limit: perHour, spent: spentThisHour } })
  }
  const perWindow = (name: string, help: string, value: (figures: { limit: number; spent: number }) => number) => {
    const collect = function (this: Gauge<'window'>) {
      for (const [window, figures] of windows()) this.set({ window }, value(figures))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['window'], registers: [], collect }))
  }
  perWindow(
    'intag_upstream_budget_limit_requests',
    'Requests the service allows in a second, and in an hour',
    ({ limit }) => limit,
  )
  perWindow(
    'intag_upstream_budget_spent_requests',
    'Requests of all instances that count against the last second, and the last hour',
    ({ spent }) => spent,
  )
  perWindow('intag_upstream_budget_left_requests', 'Requests that are left of the limit', ({ limit, spent }) =>
    Math.max(0, limit - spent),
  )
  const usage = () => budget.usage()
  const spent = 'Requests that count against the last hour'
  single(registry, 'intag_upstream_spent_this_hour', spent, () => usage().spentThisHour)
  single(registry, 'intag_upstream_per_hour', 'Requests the service allows in an hour', () => usage().perHour)
}

function loadMetrics(registry: Registry, { load }: Sources): void {
  const turnedAway = 'Requests since the start that were too many at once'
  single(registry, 'intag_requests_under_way', 'Requests that are being answered', load.underWay)
  single(registry, 'intag_requests_turned_away', turnedAway, load.turnedAway)
  keptCounter(registry, 'intag_requests_turned_away_total', turnedAway, load.turnedAway)
}
