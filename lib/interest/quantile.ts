/** The value below which `share` of the ascending numbers lie, interpolated linearly (SQL's percentile_cont); null of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number | null {
  const place = (ascending.length - 1) * share
  const below = ascending[Math.floor(place)]
  const above = ascending[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (place - Math.floor(place))
}
