/** `[cycleDay, cumulative]`, ascending, one for each day on which something came. */
export type CurvePoint = [cycleDay: number, cumulative: number]

/** Adds up counts by day, as days from `zero`. */
export function curveOf(counts: ReadonlyMap<number, number>, zero: number): CurvePoint[] {
  let sum = 0
  return [...counts].toSorted(([a], [b]) => a - b).map(([day, count]) => [day - zero, (sum += count)])
}

/** How many had come by the end of a cycle day. */
export function valueAt(points: readonly CurvePoint[], cycleDay: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.[0] ?? Infinity) <= cycleDay) low = middle + 1
    else high = middle
  }
  return points[low - 1]?.[1] ?? 0
}
