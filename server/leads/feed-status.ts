import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { FEED_LISTS, type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import { MINUTE_MS } from '@/lib/time/durations'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import type { BaseServices, Services } from '@/server/base/services'
import type { ListContent } from '@/server/feed/list-source'
import type { ListState } from '@/server/feed/list-state'
import type { FeedServices } from '@/server/feed/services'
import { toIso, toProblemInfo, toSnapshotInfo } from '@/server/feed/snapshot-info'

/** Returns freshness and budget. It does not mark the feed as watched, so that a forgotten tab causes no requests. */
export function getStatus(services: Services, viewer: Allowed<'interest:read'>) {
  return restrictStatus(viewer, readFeedStatus(services))
}

export function readFeedStatus(services: BaseServices & FeedServices): Status {
  const { env, feed, budget, now } = services
  const { spentThisHour, perHour } = budget.usage()
  const states = mapLists(feed, (state) => state)
  const lists = mapLists(feed, toSnapshotInfo)
  const problems = FEED_LISTS.flatMap((list) => {
    const { problem, nextAt } = states[list]
    if (problem === null) return []
    return [{ ...toProblemInfo(problem), list, retryAt: nextAt === null ? null : toIso(nextAt) }]
  })
  return { mode: env.mode, now: toIso(now()), lists, problems, budget: { spentThisHour, perHour } }
}

/** `recordCount` is null before the first answer of a list. */
export function mapLists<Value>(
  feed: FeedServices['feed'],
  toValue: (state: ListState<ListContent>, recordCount: number | null) => Value,
): Record<FeedList, Value> {
  const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
  return {
    'asked-questions': toValue(questions, questions.content?.table.size ?? null),
    'declarations-of-interest': toValue(declarations, declarations.content?.table.size ?? null),
    'high-schools': toValue(schools, schools.content?.highSchools.length ?? null),
  }
}

export function restrictStatus(viewer: Viewer, status: Status): Status {
  const lists = { ...status.lists }
  for (const list of LEAD_LISTS) lists[list] = lists[list] && restrictSnapshot(viewer, lists[list])
  return { ...status, lists }
}

const MANAGER_STEP_MS = 5 * MINUTE_MS

/** Gives managers times and version in steps of five minutes: a version for each lead would disclose numbers. */
export function restrictSnapshot(viewer: Viewer, snapshot: SnapshotInfo): SnapshotInfo {
  if (may(viewer, 'leads:read')) return snapshot
  const toStep = (moment: string) => Math.floor(Date.parse(moment) / MANAGER_STEP_MS)
  const version = toStep(snapshot.fetchedAt)
  const nextAt = snapshot.nextAt && toIso((toStep(snapshot.nextAt) + 1) * MANAGER_STEP_MS)
  return { ...snapshot, fetchedAt: toIso(version * MANAGER_STEP_MS), nextAt, version }
}

/** The snapshot of two lists is as old as the older one and due with the first. Its version changes with either. */
export function mergeSnapshots(a: SnapshotInfo, b: SnapshotInfo): SnapshotInfo {
  const [nextAt = null] = [a.nextAt, b.nextAt].filter((moment) => moment !== null).toSorted()
  return {
    fetchedAt: a.fetchedAt < b.fetchedAt ? a.fetchedAt : b.fetchedAt,
    nextAt,
    stale: a.stale || b.stale,
    problem: a.problem ?? b.problem,
    version: a.version + b.version,
    unreadable: a.unreadable + b.unreadable,
  }
}
