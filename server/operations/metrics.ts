import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ProviderCheck } from '@/server/access/provider-check'
import { signedIn, type Viewers } from '@/server/access/session'
import { may } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import type { Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-refresher'
import type { Load } from '@/server/http/load'
import type { Budget } from '@/server/upstream/budget'

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

type FeedStates = Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
type Sources = {
  feed: FeedStates
  budget: Pick<Budget, 'usage'>
  load: Pick<Load, 'underWay' | 'turnedAway'>
  providerCheck?: Pick<ProviderCheck, 'problem'> | null
  now: () => number
}

/** Gauges of the process, the lists, the budget and the load, read at each scrape. */
export function createMetrics({ feed, budget, load, providerCheck, now }: Sources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const perList = (name: string, help: string, value: (figures: ListFigures) => number) => {
    const collect = function (this: Gauge<'list'>) {
      for (const figures of listFigures(feed, now())) this.set({ list: figures.list }, value(figures))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['list'], registers: [], collect }))
  }
  const single = (name: string, help: string, value: () => number) => {
    const collect = function (this: Gauge) {
      this.set(value())
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  perList('intag_list_records', 'Records in the current snapshot', ({ records }) => records)
  perList('intag_list_unreadable', 'Records of the service that were set aside', ({ unreadable }) => unreadable)
  perList('intag_list_age_seconds', 'Seconds since the last good answer', ({ ageSeconds }) => ageSeconds)
  perList('intag_list_failing', '1 while the last fetch failed', ({ isFailing }) => Number(isFailing))
  single(
    'intag_upstream_spent_this_hour',
    'Requests that count against the last hour',
    () => budget.usage().spentThisHour,
  )
  single('intag_upstream_per_hour', 'Requests the service allows in an hour', () => budget.usage().perHour)
  single('intag_requests_under_way', 'Requests that are being answered', load.underWay)
  single('intag_requests_turned_away', 'Requests since the start that were too many at once', load.turnedAway)
  if (providerCheck)
    single('intag_sign_on_failing', '1 while the provider of single sign-on cannot be used', () =>
      Number(providerCheck.problem() !== null),
    )
  return registry
}

type ListFigures = {
  list: string
  records: number
  unreadable: number
  /** Seconds since the last good answer; not a number before the first. */
  ageSeconds: number
  isFailing: boolean
}

function listFigures(feed: FeedStates, now: number): ListFigures[] {
  const figures = (list: string, state: ListState<unknown>, records = 0): ListFigures => ({
    list,
    records,
    unreadable: state.unreadable,
    ageSeconds: state.fetchedAt === null ? Number.NaN : (now - state.fetchedAt) / 1000,
    isFailing: state.problem !== null,
  })
  const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
  return [
    figures('asked-questions', questions, questions.content?.table.size),
    figures('declarations-of-interest', declarations, declarations.content?.table.size),
    figures('high-schools', schools, schools.content?.highSchools.length),
  ]
}
