import 'server-only'
import type { Services } from '@/server/base/services'
import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import type { Env } from '@/server/base/env'
import type { Budget } from '@/server/feed/budget'
import type { Feed } from '@/server/feed/feed'
import { iso, type ListState, problemInfo, snapshotInfo } from '@/server/feed/list-state'

type StatusSources = {
  env: Pick<Env, 'mode'>
  feed: Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
  budget: Pick<Budget, 'usage'>
  now: () => number
}

/** Freshness and budget. Does not mark the feed as watched: a forgotten tab costs nothing. */
export function getStatus(services: Services, viewer: Allowed<'interest:read'>): Status {
  return statusFor(viewer, statusNow(services))
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

export function statusNow({ env, feed, budget, now }: StatusSources): Status {
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
