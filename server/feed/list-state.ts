import 'server-only'
import type { ProblemKind, SnapshotInfo } from '@/lib/contract/snapshot'

export type ListName = 'asked-questions' | 'declarations-of-interest' | 'high-schools'

/** Why the last fetch failed, and since when (ms) nothing has succeeded. `detail` is for administrators. */
export type Problem = { kind: ProblemKind; since: number; detail: string }

/** One fetch, for the status page: no body, no personal data. */
export type FetchRecord = {
  at: number
  durationMs: number
  bytes: number
  outcome: 'ok' | 'not-modified' | ProblemKind
  detail: string
}

/** Everything known about one of the service's lists. Replaced, never changed; times are ms since the epoch. */
export type ListState<T> = {
  readonly content: T | null
  /** Grows with every change of content, also over restarts. */
  readonly version: number
  /** When the last good answer was complete. */
  readonly fetchedAt: number | null
  readonly nextAt: number | null
  readonly problem: Problem | null
  /** Fetches that failed since the last good one. */
  readonly failures: number
  readonly unreadable: number
  /** How long the last good fetch took. */
  readonly fetchMs: number
  /** Newest first. */
  readonly history: readonly FetchRecord[]
}

export function emptyListState<T>(): ListState<T> {
  return {
    content: null,
    version: 0,
    fetchedAt: null,
    nextAt: null,
    problem: null,
    failures: 0,
    unreadable: 0,
    fetchMs: 0,
    history: [],
  }
}

/** How the contract tells it; null while there has been no good answer. */
export function snapshotInfo(state: ListState<unknown>): SnapshotInfo | null {
  if (state.content === null || state.fetchedAt === null) return null
  return {
    fetchedAt: iso(state.fetchedAt),
    nextAt: state.nextAt === null ? null : iso(state.nextAt),
    stale: state.problem !== null,
    problem: state.problem && { kind: state.problem.kind, since: iso(state.problem.since) },
    version: state.version,
    unreadable: state.unreadable,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
