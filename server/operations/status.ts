import 'server-only'
import type { FeedReport, ListReport, SnapshotInfo, Status } from '@/lib/contract/feed-status'
import type { Lead } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ProviderCheck } from '@/server/access/provider-check'
import { type Allowed, may, type Viewer, type Admin } from '@/server/access/viewer'
import type { Mailer } from '@/server/desk/mailer'
import type { Env } from '@/server/env'
import type { Feed } from '@/server/feed/feed'
import type { IngestedList } from '@/server/feed/ingest'
import { iso, type ListState, type Problem, problemInfo, snapshotInfo } from '@/server/feed/list-state'
import type { HighSchoolList, ListContent } from '@/server/feed/list-source'
import { arrivalRate } from '@/server/feed/schedule'
import type { OtherAddress } from '@/server/http/origin'
import { type Budget, budgetRules } from '@/server/upstream/budget'
import type { UnreadableRecord } from '@/server/upstream/service-records'

type Parts = {
  env: Pick<Env, 'mode' | 'limits'>
  feed: Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
  budget: Pick<Budget, 'usage'>
  now: () => number
}

/** Freshness and budget. Does not mark the feed as watched: a forgotten tab costs nothing. */
export function getStatus(parts: Parts, viewer: Allowed<'interest:read'>): Status {
  return statusFor(viewer, statusNow(parts))
}

export function statusFor(viewer: Viewer, status: Status): Status {
  if (may(viewer, 'leads:read')) return status
  const lists = { ...status.lists }
  for (const list of LEAD_LISTS) lists[list] = lists[list] && snapshotFor(viewer, lists[list])
  return { ...status, lists }
}

const STEP_MS = 300_000

/** For managers in steps of five minutes, because a version that grows with each lead would disclose small numbers. */
export function snapshotFor(viewer: Viewer, snapshot: SnapshotInfo): SnapshotInfo {
  if (may(viewer, 'leads:read')) return snapshot
  const { fetchedAt, nextAt } = snapshot
  const stepOf = (moment: string) => Math.floor(Date.parse(moment) / STEP_MS)
  const version = stepOf(fetchedAt)
  return {
    ...snapshot,
    fetchedAt: iso(version * STEP_MS),
    nextAt: nextAt && iso((stepOf(nextAt) + 1) * STEP_MS),
    version,
  }
}

export function statusNow({ env, feed, budget, now }: Parts): Status {
  const { spentThisHour, perHour } = budget.usage()
  const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
  return {
    mode: env.mode,
    now: iso(now()),
    lists: {
      'asked-questions': snapshotInfo(questions),
      'declarations-of-interest': snapshotInfo(declarations),
      'high-schools': snapshotInfo(schools),
    },
    problems: [
      ...problemOf('asked-questions', questions),
      ...problemOf('declarations-of-interest', declarations),
      ...problemOf('high-schools', schools),
    ],
    budget: { spentThisHour, perHour },
  }
}

function problemOf(list: FeedList, { problem, nextAt }: ListState<unknown>): Status['problems'] {
  if (problem === null) return []
  return [{ ...problemInfo(problem), list, retryAt: iso(nextAt) }]
}

type ReportParts = Parts & {
  providerCheck: Pick<ProviderCheck, 'report'> | null
  mailer: Pick<Mailer, 'report'> | null
  otherAddress: Pick<OtherAddress, 'report'>
}

/** For administrators. Does not mark the feed as watched. */
export function feedReport(parts: ReportParts, _viewer: Admin): FeedReport {
  const { env, feed, budget, now: clock, providerCheck, mailer, otherAddress } = parts
  const now = clock()
  const { spentThisHour, perHour, perSecond } = budget.usage()
  const { list, lookup } = budgetRules(env.limits).hour.places
  return {
    at: iso(now),
    lists: {
      'asked-questions': leadsReport(feed.askedQuestions(), now),
      'declarations-of-interest': leadsReport(feed.declarations(), now),
      'high-schools': highSchoolsReport(feed.highSchools()),
    },
    budget: { spentThisHour, perHour, perSecond, shares: { lists: list, lookups: lookup } },
    signOn: providerCheck?.report() ?? null,
    mail: mailer?.report() ?? null,
    otherAddress: otherAddress.report(),
  }
}

export const MAX_SET_ASIDE = 200

type Leads = Pick<IngestedList<Lead>, 'unreadable' | 'body'> & {
  table: Pick<IngestedList<Lead>['table'], 'size' | 'createdAt'>
}

type Size = Pick<ListReport, 'records' | 'bytes' | 'arrivalsPerHour'>

export function leadsReport(state: ListState<Leads>, now: number): ListReport {
  const { table, body } = state.content ?? { table: null, body: null }
  const arrivalsPerHour = table && arrivalRate(table.createdAt, now)
  return reportOn(state, { records: table && table.size, bytes: body && body.byteLength, arrivalsPerHour })
}

export function highSchoolsReport(state: ListState<HighSchoolList>): ListReport {
  const bytes = state.history.find((fetch) => fetch.bytes > 0)?.bytes ?? null
  return reportOn(state, { records: state.content && state.content.highSchools.length, bytes, arrivalsPerHour: null })
}

function reportOn(state: ListState<Pick<ListContent, 'unreadable'>>, size: Size): ListReport {
  const { content, fetchedAt, nextAt, problem, version, history } = state
  const [last] = history
  const endedAt = last ? last.at + last.durationMs : null
  return {
    fetchedAt: iso(fetchedAt),
    nextAt: iso(nextAt),
    // `nextAt` is due during a fetch, and null once it is slow.
    intervalMs: endedAt === null || nextAt === null ? null : Math.max(0, nextAt - endedAt),
    problem: problem && problemReport(problem),
    version,
    history: history.map((fetch) => ({ ...fetch, at: iso(fetch.at) })),
    ...size,
    setAside: setAside(content?.unreadable ?? []),
  }
}

function problemReport({ kind, since, detail, doubt, at }: Problem): ListReport['problem'] {
  const sent = doubt && { before: doubt.before, now: doubt.now, answers: doubt.answers }
  return { kind, since: iso(since), detail, ...(sent && { doubt: sent }), ...(at && { at }) }
}

function setAside(unreadable: readonly UnreadableRecord[]): ListReport['setAside'] {
  const records = unreadable.slice(0, MAX_SET_ASIDE).map(({ index, id, reason }) => ({ index, id, reason }))
  return { total: unreadable.length, records }
}
