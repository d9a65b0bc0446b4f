import 'server-only'
import type { ChangedEvent, CountsEvent, TriageEvent } from '@/lib/contract/live-event'
import type { SchoolCounts } from '@/lib/leads/school-counts'
import { may, maySee, reachOf, type Viewer } from '@/server/access/viewer'
import type { TriageChange } from './announcer'
import type { FetchedNews, News } from './news'

/**
 * What one person is told of some news, as lines of a stream; null when it is about schools or leads out of reach. Written
 * once for all who see the same; what each is told to wait before asking is filled in for each (`withWait`).
 */
export function tellingOf(news: News, viewer: Viewer): string | null {
  const reach = reachOf(viewer)
  const known = told.get(news) ?? new Map<string, string | null>()
  told.set(news, known)
  const text = known.get(reach)
  if (text !== undefined) return text
  const written = write(news, viewer)
  known.set(reach, written)
  return written
}

const told = new WeakMap<News, Map<string, string | null>>()

const NO_WAIT = -1
const WAIT = `"askInMs":${NO_WAIT}`

/** The same text for one stream, which asks so many milliseconds later. */
export function withWait(text: string, waitMs: number): string {
  return text.replace(WAIT, `"askInMs":${waitMs}`)
}

function write(news: News, viewer: Viewer): string | null {
  if (news.name === 'fetched') return writeFetched(news, viewer)
  if (!may(viewer, 'leads:read')) return null
  switch (news.name) {
    case 'triage': {
      const changes = news.changes.filter(({ schools }) => schools.some((school) => maySee(viewer, school)))
      if (changes.length === 0) return null
      const event: TriageEvent = { list: news.list, by: soleAuthor(changes), askInMs: NO_WAIT }
      const schools = new Set(changes.flatMap((change) => change.schools))
      return lines('triage', event) + countsFor(viewer, news.list, news.counted, schools)
    }
    case 'lead':
      return maySee(viewer, news.school) ? lines('lead', news.lead) : null
    case 'person':
      return null
    default:
      return news satisfies never
  }
}

function writeFetched({ list, version, isNew, touched, status, counted }: FetchedNews, viewer: Viewer): string {
  const freshness = status === null ? '' : lines('status', status)
  if (!isNew) return freshness
  const mayRead = may(viewer, 'leads:read')
  const yours = touched === null || [...touched.schools].some((school) => maySee(viewer, school))
  const changed: ChangedEvent = { list, version, yours, askInMs: NO_WAIT }
  if (!mayRead || list === 'high-schools' || !yours) return freshness + lines('changed', changed)
  return countsFor(viewer, list, counted, touched?.schools ?? null) + freshness + lines('changed', changed)
}

/** The numbers of the schools in reach among these; null: of all of them. */
function countsFor(
  viewer: Viewer,
  list: CountsEvent['list'],
  counted: SchoolCounts | null,
  schools: ReadonlySet<string> | null,
): string {
  if (counted === null) return ''
  let total = 0
  const unhandled: Record<string, number> = {}
  counted.schoolIds.forEach((school, index) => {
    if (!maySee(viewer, school)) return
    total += counted.total[index] ?? 0
    if (schools === null || schools.has(school)) unhandled[school] = counted.unhandled[index] ?? 0
  })
  return lines('counts', { list, total, unhandled, isWhole: schools === null } satisfies CountsEvent)
}

/** An event as a stream has it (WHATWG HTML, section 9.2). */
function lines(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Whose these changes are; empty when several people made them. */
function soleAuthor([first, ...others]: TriageChange[]): string {
  return first && others.every(({ by }) => by === first.by) ? first.by : ''
}
