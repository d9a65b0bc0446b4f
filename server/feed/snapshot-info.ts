import type { ProblemInfo, SnapshotInfo } from '@/lib/contract/feed-status'
import type { ListState, Problem } from './list-state'

/** Selects what browsers learn of a list's state. Returns null while there is no content. */
export function toSnapshotInfo(state: ListState<unknown>): SnapshotInfo | null {
  const { content, fetchedAt, nextAt, problem, version, unreadable } = state
  if (content === null || fetchedAt === null) return null
  return {
    fetchedAt: toIso(fetchedAt),
    nextAt: nextAt === null ? null : toIso(nextAt),
    stale: problem !== null,
    problem: problem && toProblemInfo(problem),
    version,
    unreadable,
  }
}

/** Leaves out the detail, which concerns all schools and is for administrators only. */
export function toProblemInfo({ kind, since, isHeldBack, faultySystem }: Problem): ProblemInfo {
  const info: ProblemInfo = { kind, since: toIso(since) }
  if (isHeldBack) info.isHeldBack = true
  if (faultySystem) info.at = faultySystem
  return info
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
