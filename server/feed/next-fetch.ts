import type { FetchOutcome, ListState } from './list-state'

const MIN_WAIT_MS = 50
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 60_000
/** The first retries come soon, because a refusal may be a blip; the later ones wait for a new token. */
const REFUSED_RETRIES_MS = [20_000, 60_000, 120_000]
const MAX_REFUSED_RETRY_MS = 300_000
const LIMITED_RETRY_MS = 60_000

/** Finds when (ms) to fetch again. `random` in [0, 1) puts retries out of step. */
export function findNextFetchAt<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  { now, getIntervalMs, random }: { now: number; getIntervalMs: (state: ListState<T>) => number; random: number },
): number {
  const jitter = 1 + random / 4
  switch (outcome.kind) {
    case 'no-budget':
      return Math.max(outcome.retryAt, now + MIN_WAIT_MS)
    case 'fetched':
      return Math.max(now, outcome.askedAt + getIntervalMs(state))
    case 'unauthenticated':
    case 'unauthorized':
      return now + (REFUSED_RETRIES_MS[state.refusals - 1] ?? MAX_REFUSED_RETRY_MS) * jitter
    case 'rate-limited':
      return now + (outcome.retryAfterMs ?? LIMITED_RETRY_MS) * jitter
    case 'unavailable':
    case 'unreadable': {
      const backOffMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (state.failures - 1)) * jitter
      return now + Math.max(outcome.retryAfterMs ?? 0, backOffMs)
    }
    default:
      return outcome satisfies never
  }
}
