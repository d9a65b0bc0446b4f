import { HOUR_MS } from '@/lib/time/durations'
import type { FetchOutcome, ListState } from './list-state'

const MIN_SHARE = 0.15

export type NumberPerList = { askedQuestions: number; declarations: number }

/**
 * Computes how long (ms) to wait between fetches of each list. The mean delay Σ λᵢTᵢ/2 under Σ 1/Tᵢ = B is least for
 * Tᵢ ∝ 1/√λᵢ (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003).
 */
export function computeRefreshIntervals(rates: NumberPerList, requestsPerHour: number): NumberPerList {
  const questions = Math.sqrt(rates.askedQuestions)
  const declarations = Math.sqrt(rates.declarations)
  const share = Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, questions / (questions + declarations)))
  return {
    askedQuestions: HOUR_MS / (requestsPerHour * share),
    declarations: HOUR_MS / (requestsPerHour * (1 - share)),
  }
}

const MAX_SHARE_FETCHING = 0.2

/** A list that takes long is fetched less often, so that fetches take a fifth of the time at most. */
export function stretchInterval(intervalMs: number, fetchMs: number): number {
  return Math.max(intervalMs, fetchMs / MAX_SHARE_FETCHING)
}

/** This time constant spans a night or a weekend, and still follows the seasons. */
const DECAY_MS = 3 * 24 * HOUR_MS
/** Leads older than eight time constants weigh less than a thousandth of a lead. */
const MAX_AGE_MS = 8 * DECAY_MS
const PRESUMED_LEADS = 10

/** Weighs recent leads exponentially by age. Ten presumed leads keep chance from deciding when few have come. */
export function weighRecentLeads(createdAt: Float64Array, now: number): number {
  let weight = PRESUMED_LEADS
  for (const moment of createdAt) {
    const age = now - moment
    if (age > MAX_AGE_MS) break
    weight += Math.exp(-Math.max(0, age) / DECAY_MS)
  }
  return weight
}

const MIN_WAIT_MS = 50
/** Timers fire late. A fetch within this time counts as punctual, so that delays do not add up. */
const TIMER_TOLERANCE_MS = 1_000
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 60_000
/** The first retries come soon, because a refusal may be a blip; the later ones wait for a new token. */
const REFUSED_RETRIES_MS = [20_000, 60_000, 120_000, 300_000]
const LIMITED_RETRY_MS = 60_000

/** Finds when (ms) to fetch again, by the state after the outcome. `random` in [0, 1) keeps retries out of step. */
export function findNextFetchAt<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  dueAt: number | null,
  { now, intervalMs, random }: { now: number; intervalMs: (state: ListState<T>) => number; random: number },
): number {
  const jitter = 1 + random / 4
  switch (outcome.kind) {
    case 'no-budget':
      return Math.max(outcome.retryAt, now + MIN_WAIT_MS)
    case 'fetched': {
      const askedAt = Math.min(outcome.askedAt, now)
      const isInTime = dueAt !== null && dueAt <= askedAt && askedAt - dueAt < TIMER_TOLERANCE_MS
      return Math.max(now, (isInTime ? dueAt : askedAt) + intervalMs(state))
    }
    case 'unauthenticated':
    case 'unauthorized':
      return now + (REFUSED_RETRIES_MS[Math.min(state.refusals, REFUSED_RETRIES_MS.length) - 1] ?? 0) * jitter
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
