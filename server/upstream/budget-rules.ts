import 'server-only'

/** What a request is for: a whole list for everyone, or one school that somebody asked for. */
export type Purpose = 'list' | 'lookup'
export type BudgetLimits = { perSecond: number; perHour: number }
/** A request keeps its place for `holdMs` after its answer ended; `places` caps all requests and each purpose. */
export type BudgetWindow = { holdMs: number; places: { all: number } & Record<Purpose, number> }
export type BudgetRules = { second: BudgetWindow; hour: BudgetWindow }

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000

/** After we gave up on a request the service may still find it in a queue and count it; not later than this. */
export const ABANDONED_MS = 60_000
/** A request whose end nobody saw (the process died) is taken to have ended this long after it was sent. */
export const UNFINISHED_MS = 360_000
/** Nothing makes us stay silent for longer than this at a time. */
export const LONGEST_BACK_OFF_MS = 60 * 60_000

/** The part by which the service's clock may run slower than ours, and at least this much jitter. */
const DRIFT = 0.01
const LEAST_MARGIN_MS = 50
const LOOKUP_SHARE = 0.05

/** The limits as places: the hour is split between the purposes, so that neither ever starves the other. */
export function budgetRules({ perSecond, perHour }: BudgetLimits): BudgetRules {
  const lookupsPerHour = perHour >= 10 ? Math.max(1, Math.round(perHour * LOOKUP_SHARE)) : 0
  const forTheOther = perSecond >= 2 ? 1 : 0
  return {
    second: {
      holdMs: heldFor(SECOND_MS),
      places: { all: perSecond, list: perSecond - forTheOther, lookup: perSecond - forTheOther },
    },
    hour: {
      holdMs: heldFor(HOUR_MS),
      places: { all: perHour, list: perHour - lookupsPerHour, lookup: Math.max(1, lookupsPerHour) },
    },
  }
}

/** How many lists can be fetched in an hour, steadily, when answers come fast. */
export function listsPerHour(limits: BudgetLimits): number {
  const { places, holdMs } = budgetRules(limits).hour
  return (places.list * HOUR_MS) / holdMs
}

function heldFor(windowMs: number): number {
  return windowMs + Math.max(LEAST_MARGIN_MS, windowMs * DRIFT)
}
