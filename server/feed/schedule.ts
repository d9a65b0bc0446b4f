import 'server-only'

const HOUR_MS = 3_600_000
const MIN_SHARE = 0.15

export type LeadRates = { askedQuestions: number; declarations: number }

/**
 * How long (ms) to wait between fetches of each list. The mean delay Σ λᵢTᵢ/2 under Σ 1/Tᵢ = B is least for Tᵢ ∝
 * 1/√λᵢ (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003).
 */
export function refreshIntervals(rates: LeadRates, requestsPerHour: number): LeadRates {
  const questions = Math.sqrt(Math.max(rates.askedQuestions, 0))
  const declarations = Math.sqrt(Math.max(rates.declarations, 0))
  const whole = questions + declarations
  const share = whole === 0 ? 0.5 : Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, questions / whole))
  return {
    askedQuestions: HOUR_MS / (requestsPerHour * share),
    declarations: HOUR_MS / (requestsPerHour * (1 - share)),
  }
}

const MAX_SHARE_FETCHING = 0.2

export function limitPace(intervalMs: number, fetchMs: number): number {
  return Math.max(intervalMs, fetchMs / MAX_SHARE_FETCHING)
}

/** Long enough for a night or a weekend, short enough to follow the seasons. */
const MEMORY_MS = 3 * 24 * HOUR_MS
const PRESUMED = 10

/** The busier list changes slowly: three days count, and ten presumed leads keep chance from deciding. */
export function splitWeight(createdAt: Float64Array, now: number): number {
  let weight = PRESUMED
  for (const moment of createdAt) {
    const age = now - moment
    if (age > 8 * MEMORY_MS) break
    weight += Math.exp(-Math.max(0, age) / MEMORY_MS)
  }
  return weight
}
