import 'server-only'
import { Gauge, type Registry } from 'prom-client'
import type { Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'

export type FeedStates = Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
type Parts = { feed: FeedStates; now: () => number; monotonic?: () => number }

/** How each of the service's lists does on this instance; what is not known yet is not a number. */
export function listMetrics(registry: Registry, parts: Parts): void {
  const figuresNow = listFigures(parts)
  const perList = (name: string, help: string, value: (figures: ListFigures) => number) => {
    const collect = function (this: Gauge<'list'>) {
      for (const figures of figuresNow()) this.set({ list: figures.list }, value(figures))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['list'], registers: [], collect }))
  }
  perList('intag_list_records', 'Records in the current snapshot', ({ records }) => records)
  perList('intag_list_unreadable', 'Records of the service that were set aside', ({ unreadable }) => unreadable)
  perList('intag_list_age_seconds', 'Seconds since the last good answer', ({ ageSeconds }) => ageSeconds)
  perList('intag_list_failing', '1 while the last fetch failed', ({ isFailing }) => Number(isFailing))
  perList(
    'intag_list_last_success_timestamp_seconds',
    'When the service was asked for the last good answer, in Unix time',
    ({ fetchedAt }) => seconds(fetchedAt),
  )
  perList('intag_list_next_fetch_timestamp_seconds', 'When the list is fetched next, in Unix time', ({ nextAt }) =>
    seconds(nextAt),
  )
  perList('intag_list_last_fetch_seconds', 'How long the last good fetch took', ({ fetchMs }) => fetchMs / 1000)
}

type ListFigures = {
  list: string
  records: number
  unreadable: number
  ageSeconds: number
  isFailing: boolean
  fetchedAt: number | null
  nextAt: number | null
  fetchMs: number
}

function listFigures({ feed, now, monotonic = () => performance.now() }: Parts): () => ListFigures[] {
  const ageOf = createAges(now, monotonic)
  const figures = (list: string, state: ListState<unknown>, records = 0): ListFigures => ({
    list,
    records,
    unreadable: state.unreadable,
    ageSeconds: ageOf(list, state.fetchedAt),
    isFailing: state.problem !== null,
    fetchedAt: state.fetchedAt,
    nextAt: state.nextAt,
    fetchMs: state.fetchMs,
  })
  return () => {
    const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
    return [
      figures('asked-questions', questions, questions.content?.table.size),
      figures('declarations-of-interest', declarations, declarations.content?.table.size),
      figures('high-schools', schools, schools.content?.highSchools.length),
    ]
  }
}

/**
 * Seconds since a list was asked for. The wall clock is read once for each answer, which may be of another instance with another
 * clock; from there on a clock counts that nobody can set, so that an age never jumps and never is less than none.
 */
function createAges(now: () => number, monotonic: () => number) {
  const known = new Map<string, { fetchedAt: number; bornAt: number }>()
  return (list: string, fetchedAt: number | null): number => {
    if (fetchedAt === null) return Number.NaN
    const found = known.get(list)
    const bornAt = found?.fetchedAt === fetchedAt ? found.bornAt : monotonic() - Math.max(0, now() - fetchedAt)
    known.set(list, { fetchedAt, bornAt })
    return (monotonic() - bornAt) / 1000
  }
}

function seconds(ms: number | null): number {
  return ms === null ? Number.NaN : ms / 1000
}
