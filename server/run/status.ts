import 'server-only'
import type { ListReport, ServiceReport, SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ProviderCheck } from '@/server/access/provider-check'
import { type Allowed, may, type Viewer, type Admin } from '@/server/access/viewer'
import type { Mailer } from '@/server/replies/mailer'
import type { Env } from '@/server/base/env'
import type { Feed } from '@/server/feed/feed'
import { iso, type ListState, problemInfo, snapshotInfo } from '@/server/feed/list-state'
import type { ListContent } from '@/server/feed/list-source'
import type { Budget } from '@/server/feed/budget'

type Parts = {
  env: Pick<Env, 'mode'>
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
}

/** For administrators. Does not mark the feed as watched. */
export function serviceReport(parts: ReportParts, _viewer: Admin): ServiceReport {
  const { feed, providerCheck, mailer } = parts
  const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
  return {
    status: statusNow(parts),
    lists: {
      'asked-questions': listReport(questions, questions.content?.table.size),
      'declarations-of-interest': listReport(declarations, declarations.content?.table.size),
      'high-schools': listReport(schools, schools.content?.highSchools.length),
    },
    signOn: providerCheck?.report() ?? null,
    mail: mailer?.report() ?? null,
  }
}

export const MAX_SET_ASIDE = 200

export function listReport(
  { content, problem }: ListState<Pick<ListContent, 'unreadable'>>,
  records: number | null = null,
): ListReport {
  const doubt = problem?.doubt && {
    before: problem.doubt.before,
    now: problem.doubt.now,
    answers: problem.doubt.answers,
  }
  const unreadable = content?.unreadable ?? []
  return {
    records,
    problem: problem && { detail: problem.detail, ...(doubt && { doubt }) },
    setAside: {
      total: unreadable.length,
      records: unreadable.slice(0, MAX_SET_ASIDE).map(({ index, id, reason }) => ({ index, id, reason })),
    },
  }
}
