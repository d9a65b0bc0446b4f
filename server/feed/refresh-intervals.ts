import { HOUR_MS } from '@/lib/time/durations'

/** No list gets less than this share of the requests, so that a quiet one stays fresh. */
const MIN_SHARE = 0.15

export type NumberPerList = { askedQuestions: number; declarations: number }

/**
 * Computes the interval T (ms) between fetches of each list, by the rates λ at which leads arrive and the requests B in
 * an hour. The mean delay Σ λᵢTᵢ/2 under Σ 1/Tᵢ = B is least for Tᵢ ∝ 1/√λᵢ (Cho & Garcia-Molina, "Effective page
 * refresh policies for web crawlers", 2003), except that `MIN_SHARE` bounds the shares.
 */
export function computeRefreshIntervals(rates: NumberPerList, requestsPerHour: number): NumberPerList {
  const questionWeight = Math.sqrt(rates.askedQuestions)
  const idealShare = questionWeight / (questionWeight + Math.sqrt(rates.declarations))
  const questionShare = Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, idealShare))
  return {
    askedQuestions: HOUR_MS / (requestsPerHour * questionShare),
    declarations: HOUR_MS / (requestsPerHour * (1 - questionShare)),
  }
}

const MAX_FETCHING_SHARE = 0.2

/** A list that takes long is fetched less often, so that fetches take a fifth of the time at most. */
export function stretchInterval(intervalMs: number, fetchMs: number): number {
  return Math.max(intervalMs, fetchMs / MAX_FETCHING_SHARE)
}

/** This time constant spans a night or a weekend, and still follows the seasons. */
const DECAY_MS = 3 * 24 * HOUR_MS
/** Leads older than eight time constants weigh less than a thousandth of a lead. */
const MAX_AGE_MS = 8 * DECAY_MS
const PRESUMED_LEADS = 10

/** Weighs recent leads exponentially by age. Ten presumed leads keep chance from deciding when few have come. */
export function weighRecentLeads(newestFirst: Float64Array, now: number): number {
  let weight = PRESUMED_LEADS
  for (const createdAt of newestFirst) {
    const age = now - createdAt
    if (age > MAX_AGE_MS) break
    weight += Math.exp(-Math.max(0, age) / DECAY_MS)
  }
  return weight
}
