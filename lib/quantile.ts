/** Computes the value below which `share` of the numbers lie, like SQL's `percentile_cont`; null if there are none. */
export function computeQuantile(ascending: ArrayLike<number>, share: number): number | null {
  const index = (ascending.length - 1) * share
  const below = ascending[Math.floor(index)]
  const above = ascending[Math.ceil(index)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (index - Math.floor(index))
}
