import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { ApiError } from './api-error'

const LEAST_MS = 2_000
const JITTER_MS = 1_500
const WITHOUT_PLAN_MS = 15_000
/** While the live stream tells of changes: in case it ever forgets one, and for what the colleagues decide. */
const SAFETY_MS = 120_000

const TAB_CHANCE = Math.random()

type Observed = { state: { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number } }

/**
 * When a query of leads asks again by itself: hardly, while the live stream says when it pays; else when the server's next
 * snapshot is due. `refetchIntervalInBackground` stays false, so that a hidden tab asks for nothing.
 */
export function refreshOptions(isLive: boolean) {
  return {
    refetchInterval: ({ state }: Observed) =>
      isLive && state.error === null ? SAFETY_MS : untilNext(state, TAB_CHANCE),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  } as const
}

/**
 * Milliseconds from the last answer until it pays to ask again; `chance` in [0, 1) spreads the browsers out. The same for
 * the same answer, because another number at every rendering would start the waiting over.
 */
export function untilNext(state: Observed['state'], chance: number): number {
  const jitter = chance * JITTER_MS
  if (state.error instanceof ApiError) {
    if (state.error.kind === 'unauthenticated' || state.error.kind === 'unauthorized') return WITHOUT_PLAN_MS * 4
    return Math.max(LEAST_MS, state.error.retryAfterMs ?? 5_000) + jitter
  }
  const nextAt = Date.parse(state.data?.snapshot.nextAt ?? '')
  if (Number.isNaN(nextAt)) return WITHOUT_PLAN_MS + jitter
  return Math.max(LEAST_MS, nextAt - state.dataUpdatedAt) + jitter
}
