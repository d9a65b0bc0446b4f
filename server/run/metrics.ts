import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { z } from 'zod'
import packageJson from '@/package.json'
import { may } from '@/server/access/viewer'
import { authenticate } from '@/server/access/viewer-cache'
import { probeDatabase } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { mapLists } from '@/server/leads/feed-status'

/** Requires `METRICS_TOKEN` or the session of an administrator. */
export async function serveMetrics(services: Services, request: Request): Promise<Response> {
  const { metrics, env } = services
  const headers = { 'cache-control': 'no-store' }
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const hasToken = token !== undefined && env.metricsToken !== null && areEqual(token, env.metricsToken)
  const caller = token === undefined ? await authenticate(services, request).catch(() => null) : null
  const isAdmin = caller !== null && may(caller.viewer, 'admin')
  if (!hasToken && !isAdmin) return Response.json({ error: 'Unauthenticated' }, { status: 401, headers })
  return new Response(await metrics.metrics(), { headers: { ...headers, 'content-type': metrics.contentType } })
}

/** Compares hashes, so that the time of the comparison reveals neither length nor content. */
function areEqual(a: string, b: string) {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** Names follow prometheus.io/docs/practices/naming, except for older ones that operators' dashboards use. */
export function createMetrics(services: Omit<Services, 'metrics'>): Registry {
  const { registry, feed, budget, database, hub, now } = services
  const addGauge = (name: string, help: string, read: () => number | Promise<number>) => {
    const collect = async function (this: Gauge) {
      this.set(await read())
    }
    return new Gauge({ name: `intag_${name}`, help, registers: [registry], collect })
  }
  const addLabelledGauge = (name: string, label: string, help: string, read: () => Record<string, number>) => {
    const collect = function (this: Gauge) {
      for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number)
    }
    return new Gauge({ name: `intag_${name}`, help, labelNames: [label], registers: [registry], collect })
  }
  collectDefaultMetrics({ register: registry })
  const buildInfo = new Gauge({
    name: 'intag_build_info',
    help: 'Which version of Intag runs on which Node; always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  })
  buildInfo.set({ version: packageJson.version, node: process.version }, 1)

  const addListGauge = (name: string, help: string, toValue: Parameters<typeof mapLists<number>>[1]) =>
    addLabelledGauge(`list_${name}`, 'list', help, () => mapLists(feed, toValue))
  addListGauge('records', 'Records in the current snapshot', (_, records) => records ?? 0)
  addListGauge('unreadable', 'Records of the service that were set aside', ({ unreadable }) => unreadable)
  addListGauge('age_seconds', 'Seconds since the last good answer', ({ fetchedAt }) =>
    fetchedAt === null ? Number.NaN : Math.max(0, now() - fetchedAt) / 1000,
  )
  addListGauge('failing', '1 while the last fetch failed', ({ problem }) => Number(problem !== null))
  addListGauge('next_fetch_timestamp_seconds', 'When the list is fetched next, in Unix time', ({ nextAt }) =>
    nextAt === null ? Number.NaN : nextAt / 1000,
  )

  const addBudgetGauge = (name: string, help: string, toValue: (limit: number, spent: number) => number) =>
    addLabelledGauge(`upstream_budget_${name}_requests`, 'window', help, () => {
      const { perSecond, perHour, spentThisHour } = budget.usage()
      return { second: toValue(perSecond, budget.spentThisSecond()), hour: toValue(perHour, spentThisHour) }
    })
  addBudgetGauge('limit', 'Requests the service allows in a second, and in an hour', (limit) => limit)
  addBudgetGauge(
    'spent',
    'Requests of all instances that count against the last second, and the last hour',
    (_, spent) => spent,
  )
  addBudgetGauge('left', 'Requests that are left of the limit', (limit, spent) => Math.max(0, limit - spent))

  addGauge('database_up', '1 while the database answers', async () => Number(await probeDatabase(database.connect)))
  addGauge(
    'last_backup_timestamp_seconds',
    'When the last backup was made by `admin backup`, in Unix time; NaN if none was within a month',
    async () => {
      const selectLastBackup = sql`select extract(epoch from at) as made_at from ${activity}
        where action = 'backup-made' and at > now() - interval '30 days' order by at desc limit 1`
      const read = async () => (await database.connect()).execute(selectLastBackup)
      const answerSchema = z.object({ rows: z.tuple([z.object({ made_at: z.coerce.number() })]) })
      return answerSchema.safeParse(await read().catch(() => null)).data?.rows[0].made_at ?? Number.NaN
    },
  )
  addLabelledGauge(
    'database_connections',
    'state',
    'Connections to PostgreSQL by state; waiting: queries that wait for one',
    () => {
      const { inUse = Number.NaN, idle = Number.NaN, waiting = Number.NaN } = database.countConnections() ?? {}
      return { 'in-use': inUse, idle, waiting }
    },
  )
  addGauge('live_streams_open', 'Live streams of browsers that are open', hub.size)
  return registry
}
