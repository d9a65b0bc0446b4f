import 'server-only'
import type { Services } from '@/server/base/services'
import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { z } from 'zod'
import packageJson from '@/package.json'
import { signedIn } from '@/server/access/session'
import { may } from '@/server/access/viewer'
import { type Connections, databaseAnswers, type Db } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import type { StreamPlaces } from '@/server/http/stream-events'
import type { Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import type { Budget } from '@/server/feed/budget'

export async function serveMetrics(services: Services, request: Request): Promise<Response> {
  const { env, metrics } = services
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const allowed = token !== undefined ? isToken(token, env.metricsToken) : await isAdmin(services, request)
  const headers = { 'cache-control': 'no-store' }
  if (!allowed) return Response.json({ error: 'Unauthenticated' }, { status: 401, headers })
  return new Response(await metrics.metrics(), { headers: { ...headers, 'content-type': metrics.contentType } })
}

/** Hashed first, so that neither length nor content shows in the time it takes. */
function isToken(given: string, expected: string | null): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return expected !== null && timingSafeEqual(hash(given), hash(expected))
}

async function isAdmin(services: Services, request: Request): Promise<boolean> {
  const found = await signedIn(services, request).catch(() => null)
  return found !== null && may(found.viewer, 'admin')
}

type Sources = {
  feed: Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
  budget: Pick<Budget, 'usage' | 'spentThisSecond'>
  streamPlaces: Pick<StreamPlaces, 'open'>
  database: { ready: () => Promise<Pick<Db, 'execute'>>; connections: () => Connections | null }
  registry: Registry
  now: () => number
}

/** As prometheus.io/docs/practices/naming says; older names stay, because dashboards use them. */
export function createMetrics(sources: Sources): Registry {
  const { registry, budget, database } = sources
  const { single, byLabel } = metricsIn(registry)
  collectDefaultMetrics({ register: registry })
  buildInfo(registry)
  listMetrics(byLabel, sources)
  budgetMetrics(byLabel, budget)
  single('database_up', '1 while the database answers', async () => Number(await databaseAnswers(database.ready)))
  const backup = 'When the last backup was made by `admin backup`, in Unix time; NaN if none was within a month'
  single('last_backup_timestamp_seconds', backup, () => lastBackup(database.ready))
  byLabel('state', () => connectionsBy(database.connections()), {
    database_connections: ['Connections to PostgreSQL by state; waiting: queries that wait for one', Number],
  })
  single('live_streams_open', 'Live streams of browsers that are open', sources.streamPlaces.open)
  return registry
}

type Metrics = ReturnType<typeof metricsIn>
type Gauges<T> = Record<string, [help: string, value: (of: T) => number]>

function metricsIn(registry: Registry) {
  return {
    single(name: string, help: string, value: () => number | Promise<number>): void {
      const collect = async function (this: Gauge) {
        this.set(await value())
      }
      registry.registerMetric(new Gauge({ name: `intag_${name}`, help, registers: [], collect }))
    },
    /** Gauges with one label: name, help, and the value for each key of what `read` answers. */
    byLabel<T>(label: string, read: () => Record<string, T>, gauges: Gauges<T>): void {
      for (const [name, [help, value]] of Object.entries(gauges)) {
        const collect = function (this: Gauge) {
          for (const [key, of] of Object.entries(read())) this.set({ [label]: key }, value(of))
        }
        registry.registerMetric(new Gauge({ name: `intag_${name}`, help, labelNames: [label], registers: [], collect }))
      }
    },
  }
}

async function lastBackup(ready: () => Promise<Pick<Db, 'execute'>>): Promise<number> {
  try {
    const { rows } = z.object({ rows: z.array(z.object({ at: z.coerce.number() })) }).parse(
      await (
        await ready()
      ).execute(sql`select extract(epoch from at) as at from ${activity}
        where action = 'backup-made' and at > now() - interval '30 days' order by activity.at desc limit 1`),
    )
    return rows[0]?.at ?? Number.NaN
  } catch {
    return Number.NaN
  }
}

function buildInfo(registry: Registry): void {
  const help = 'Which version of Intag runs on which Node; always 1'
  const gauge = new Gauge({ name: 'intag_build_info', help, labelNames: ['version', 'node'], registers: [] })
  gauge.set({ version: packageJson.version, node: process.version }, 1)
  registry.registerMetric(gauge)
}

function listMetrics(byLabel: Metrics['byLabel'], { feed, now }: Sources): void {
  const figures = (state: ListState<unknown>, records = 0) => ({
    ...state,
    records,
    ageMs: state.fetchedAt === null ? null : Math.max(0, now() - state.fetchedAt),
  })
  const read = () => {
    const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
    return {
      'asked-questions': figures(questions, questions.content?.table.size),
      'declarations-of-interest': figures(declarations, declarations.content?.table.size),
      'high-schools': figures(schools, schools.content?.highSchools.length),
    }
  }
  byLabel('list', read, {
    list_records: ['Records in the current snapshot', ({ records }) => records],
    list_unreadable: ['Records of the service that were set aside', ({ unreadable }) => unreadable],
    list_age_seconds: ['Seconds since the last good answer', ({ ageMs }) => seconds(ageMs)],
    list_failing: ['1 while the last fetch failed', ({ problem }) => Number(problem !== null)],
    list_next_fetch_timestamp_seconds: ['When the list is fetched next, in Unix time', ({ nextAt }) => seconds(nextAt)],
  })
}

function seconds(ms: number | null): number {
  return ms === null ? Number.NaN : ms / 1000
}

function budgetMetrics(byLabel: Metrics['byLabel'], budget: Sources['budget']): void {
  const read = () => {
    const { perSecond, perHour, spentThisHour } = budget.usage()
    const second = { limit: perSecond, spent: budget.spentThisSecond() }
    return { second, hour: { limit: perHour, spent: spentThisHour } }
  }
  byLabel('window', read, {
    upstream_budget_limit_requests: ['Requests the service allows in a second, and in an hour', ({ limit }) => limit],
    upstream_budget_spent_requests: [
      'Requests of all instances that count against the last second, and the last hour',
      ({ spent }) => spent,
    ],
    upstream_budget_left_requests: [
      'Requests that are left of the limit',
      ({ limit, spent }) => Math.max(0, limit - spent),
    ],
  })
}

function connectionsBy(now: Connections | null): Record<string, number> {
  return { 'in-use': now?.inUse ?? Number.NaN, idle: now?.idle ?? Number.NaN, waiting: now?.waiting ?? Number.NaN }
}
