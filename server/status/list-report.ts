import 'server-only'
import type { FetchReport, ListReport } from '@/lib/contract/feed-report'
import type { Lead } from '@/lib/contract/lead'
import type { HighSchoolList } from '@/server/feed/attempts'
import type { IngestedList } from '@/server/feed/ingest/ingested-list'
import type { FetchRecord, ListState } from '@/server/feed/list-state'
import { arrivalRate } from '@/server/feed/schedule'
import type { UnreadableRecord } from '@/server/upstream/wire/unreadable-record'

/** A list of thousands of faults says no more than its first ones do. */
export const MOST_SET_ASIDE = 200

type Leads = Pick<IngestedList<Lead>, 'unreadable' | 'body'> & {
  table: Pick<IngestedList<Lead>['table'], 'size' | 'createdAt'>
}

/** What an administrator is told of a list of leads at the moment `now` (ms). */
export function leadsReport(state: ListState<Leads>, now: number): ListReport {
  const { content } = state
  return {
    ...courseOf(state),
    records: content && content.table.size,
    bytes: content && content.body.byteLength,
    arrivalsPerHour: content && arrivalRate(content.table.createdAt, now),
    setAside: setAside(content?.unreadable ?? []),
  }
}

export function highSchoolsReport(state: ListState<HighSchoolList>): ListReport {
  const { content, history } = state
  return {
    ...courseOf(state),
    records: content && content.highSchools.length,
    bytes: history.find(({ bytes }) => bytes > 0)?.bytes ?? null,
    arrivalsPerHour: null,
    setAside: setAside(content?.unreadable ?? []),
  }
}

type Course = Pick<ListReport, 'fetchedAt' | 'nextAt' | 'intervalMs' | 'problem' | 'version' | 'history'>

function courseOf({ fetchedAt, nextAt, problem, version, history }: ListState<unknown>): Course {
  const [last] = history
  const endedAt = last ? last.at + last.durationMs : null
  return {
    fetchedAt: iso(fetchedAt),
    nextAt: iso(nextAt),
    // While a fetch is under way the plan is the one that has just been carried out.
    intervalMs: endedAt === null || nextAt === null ? null : Math.max(0, nextAt - endedAt),
    problem: problem && { kind: problem.kind, since: new Date(problem.since).toISOString(), detail: problem.detail },
    version,
    history: history.map(fetchReport),
  }
}

function fetchReport({ at, durationMs, bytes, outcome, detail }: FetchRecord): FetchReport {
  return { at: new Date(at).toISOString(), durationMs, bytes, outcome, detail }
}

function setAside(unreadable: readonly UnreadableRecord[]): ListReport['setAside'] {
  const records = unreadable.slice(0, MOST_SET_ASIDE).map(({ index, id, reason }) => ({ index, id, reason }))
  return { total: unreadable.length, records }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
