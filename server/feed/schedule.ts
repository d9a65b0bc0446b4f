import 'server-only'

const HOUR_MS = 3_600_000
/** Even a list that was silent for days gets this share of the requests, or its first new lead would wait for hours. */
const LEAST_SHARE = 0.15

export type LeadRates = { askedQuestions: number; declarations: number }

/**
 * How long to wait between two fetches of each list, ms, when `requestsPerHour` may be spent on the two together.
 * The mean delay of a new lead is Σ λᵢTᵢ/2; under Σ 1/Tᵢ = B it is least for Tᵢ ∝ 1/√λᵢ
 * (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003). Rates are in any common unit.
 */
export function refreshIntervals(rates: LeadRates, requestsPerHour: number): LeadRates {
  const questions = Math.sqrt(Math.max(rates.askedQuestions, 0))
  const declarations = Math.sqrt(Math.max(rates.declarations, 0))
  const whole = questions + declarations
  const share = whole === 0 ? 0.5 : Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, questions / whole))
  return {
    askedQuestions: HOUR_MS / (requestsPerHour * share),
    declarations: HOUR_MS / (requestsPerHour * (1 - share)),
  }
}

/** Never more than this part of the time is spent fetching one list, however large it is and slow the link. */
const MOST_TIME_FETCHING = 0.2

/** From the start of one fetch to the next: leaves the link mostly idle when a fetch takes `fetchMs`. */
export function paced(intervalMs: number, fetchMs: number): number {
  return Math.max(intervalMs, fetchMs / MOST_TIME_FETCHING)
}

/** Long enough that a night or a weekend does not hide which list is the busier, short enough to follow the seasons. */
const MEMORY_MS = 24 * HOUR_MS

/**
 * Leads per hour, from the moments (ms, newest first) when leads were created: each counts less the older it is, by e in a
 * day. One pseudo-lead a day is added, so that silence lowers the rate without ever making it nothing.
 */
export function arrivalRate(createdAt: Float64Array, now: number): number {
  return ((remembered(createdAt, now, MEMORY_MS) + 1) * HOUR_MS) / MEMORY_MS
}

const SPLIT_MEMORY_MS = 3 * MEMORY_MS
const PRESUMED = 10

/**
 * What the requests are split by. Which list is the busier changes slowly, so three days are remembered, and ten leads more
 * are presumed in each: in a month that brings a handful, chance would decide otherwise.
 */
export function splitWeight(createdAt: Float64Array, now: number): number {
  return remembered(createdAt, now, SPLIT_MEMORY_MS) + PRESUMED
}

/** How many leads there were, each counting less the older it is, by e in `memoryMs`. */
function remembered(createdAt: Float64Array, now: number, memoryMs: number): number {
  let weight = 0
  for (const moment of createdAt) {
    const age = now - moment
    if (age > 8 * memoryMs) break
    weight += Math.exp(-Math.max(0, age) / memoryMs)
  }
  return weight
}
