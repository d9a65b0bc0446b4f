import 'server-only'

const HOUR_MS = 3_600_000
const MIN_SHARE = 0.15

export type PerLeadList = { askedQuestions: number; declarations: number }

/**
 * Computes how long (ms) to wait between fetches of each list. The mean delay Σ λᵢTᵢ/2 under Σ 1/Tᵢ = B is least for Tᵢ ∝
 * 1/√λᵢ (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003).
 */
export function refreshIntervals(rates: PerLeadList, requestsPerHour: number): PerLeadList {
  const questions = Math.sqrt(Math.max(rates.askedQuestions, 0))
  const declarations = Math.sqrt(Math.max(rates.declarations, 0))
  const total = questions + declarations
  const share = total === 0 ? 0.5 : Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, questions / total))
  return {
    askedQuestions: HOUR_MS / (requestsPerHour * share),
    declarations: HOUR_MS / (requestsPerHour * (1 - share)),
  }
}

const MAX_SHARE_FETCHING = 0.2

/** A fetch may take at most a fifth of the time: a list that takes long is fetched less often. */
export function stretchInterval(intervalMs: number, fetchMs: number): number {
  return Math.max(intervalMs, fetchMs / MAX_SHARE_FETCHING)
}

/** The time constant spans a night or a weekend, and still follows the seasons. */
const DECAY_MS = 3 * 24 * HOUR_MS
const PRESUMED_LEADS = 10

/** Weighs recent leads exponentially by age. Ten presumed leads keep chance from deciding when few have come. */
export function weighRecentLeads(createdAt: Float64Array, now: number): number {
  let weight = PRESUMED_LEADS
  for (const moment of createdAt) {
    const age = now - moment
    if (age > 8 * DECAY_MS) break
    weight += Math.exp(-Math.max(0, age) / DECAY_MS)
  }
  return weight
}
