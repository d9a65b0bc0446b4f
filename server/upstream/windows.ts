import 'server-only'

/** What a request is for: a whole list for everyone, or one school that somebody asked for. */
export type Purpose = 'list' | 'lookup'
/** A request keeps its place for `holdMs` after its answer ended; `places` caps all requests and each purpose. */
export type BudgetWindow = { holdMs: number; places: { all: number } & Record<Purpose, number> }
/** `inHand`: so many places of the hour are left by lists for the next look-ups. */
export type BudgetRules = { second: BudgetWindow; hour: BudgetWindow; inHand: number }
/** Until when (ms) the places of a window are taken. */
export type Taken = { all: number[] } & Record<Purpose, number[]>

/** When a window has room; long ago if it has now. */
export function roomAt({ places }: BudgetWindow, purpose: Purpose, taken: Taken): number {
  return Math.max(nthLast(taken.all, places.all), nthLast(taken[purpose], places[purpose]))
}

/** The same for the hour, whose places are lent: lists leave a few in hand, look-ups take their turn. */
export function hourRoomAt(rules: BudgetRules, purpose: Purpose, taken: Taken): number {
  const turnAt = purpose === 'list' ? beyondHandAt(rules, taken) : lookupTurnAt(rules, taken)
  return Math.max(roomAt(rules.hour, purpose, taken), turnAt)
}

/** None is in hand once look-ups have had their share. */
function beyondHandAt({ hour, inHand }: BudgetRules, { all, lookup }: Taken): number {
  const kept = Math.max(0, Math.min(inHand, hour.places.lookup - lookup.length))
  return nthLast(all, hour.places.all - kept)
}

/** While no more of the hour than this is taken, nobody needs to wait for a turn. */
const PLENTY = 0.9

/** Look-ups take what is in hand in the time in which twice as much comes back; the other half is for the lists. */
function lookupTurnAt({ hour: { places, holdMs }, inHand }: BudgetRules, { all, lookup }: Taken): number {
  const turnMs = (2 * inHand * holdMs) / places.all
  const lately = lookup.map((until) => until - holdMs + turnMs)
  return Math.min(nthLast(all, Math.floor(places.all * PLENTY)), nthLast(lately, Math.max(1, inHand)))
}

/** The part of the hour that the pace leaves over: where two lists meet, a place may be wanted before it is free. */
const SPARE = 0.005
/** After a quiet hour its first ten minutes are so much faster. */
const HEAD_START = 1.25

/**
 * How long to wait, ms, from one list to the next; `all`: until when the places of the hour are taken. Evenly is best for
 * who stays an hour, and the slowest stretch to come decides: by each moment no more can be sent than will have come back.
 * Who may leave earlier is served best by spending as the square root of the chance that somebody is still there; a head
 * start of a quarter is some of that, and costs who stays one hundredth of that hour and none of the next.
 */
export function paceMs({ hour: { places, holdMs }, inHand }: BudgetRules, all: number[], now: number): number {
  let pace = holdMs / Math.max(1, places.all * (1 - SPARE) - inHand)
  let comeBack = places.all - inHand - all.length
  for (const until of all.sort((a, b) => a - b)) pace = Math.max(pace, (until - now) / Math.max(1, ++comeBack))
  return all.length < places.all * (HEAD_START / 6) ? pace / HEAD_START : pace
}

/** When fewer than `places` of these moments are left to come; long ago if that is so already. */
function nthLast(moments: number[], places: number): number {
  if (moments.length < places) return -Infinity
  return moments.sort((a, b) => a - b)[moments.length - places] ?? -Infinity
}
