const HOUR_MS = 3_600_000

export type Arrival = { list: 'askedQuestions' | 'declarations'; at: number }
/** Between two fetches of each list, ms. */
export type Intervals = Record<Arrival['list'], number>

/** How long each arrival waits when its list is fetched at fixed intervals. */
export function delaysOf(arrivals: readonly Arrival[], every: Intervals): number[] {
  return arrivals.map(({ list, at }) => every[list] - (at % every[list]))
}

/**
 * The intervals when `perHour` requests are split between the lists: equally, or by the square root of their true rates,
 * which gives the least mean delay there is (Cho & Garcia-Molina 2003).
 */
export function splitIntervals(
  arrivals: readonly Arrival[],
  perHour: number,
  split: 'equal' | 'square root',
): Intervals {
  const declarations = arrivals.filter(({ list }) => list === 'declarations').length
  const weights: Intervals =
    split === 'equal'
      ? { declarations: 1, askedQuestions: 1 }
      : { declarations: Math.sqrt(declarations), askedQuestions: Math.sqrt(arrivals.length - declarations) }
  const whole = (HOUR_MS * (weights.declarations + weights.askedQuestions)) / perHour
  return { declarations: whole / weights.declarations, askedQuestions: whole / weights.askedQuestions }
}

/** The time between the fetches (ascending, ms) before and after a moment. */
export function gapAround(fetches: readonly number[], moment: number): number {
  const next = fetches.findIndex((at) => at >= moment)
  return (fetches[next] ?? Infinity) - (fetches[next - 1] ?? fetches[0] ?? 0)
}

/** The most moments (ascending, ms) within any sliding window. */
export function mostInAny(moments: readonly number[], windowMs: number): number {
  let most = 0
  let first = 0
  moments.forEach((moment, index) => {
    while ((moments[first] ?? 0) <= moment - windowMs) first += 1
    most = Math.max(most, index - first + 1)
  })
  return most
}
