const YEARS_BACK = 4
const YEARS_AHEAD = 5

/** An enrollment year outside is a typing error or somebody's test; screens gather such in one place. */
export function isPlausibleYear(year: number | null, thisYear: number): year is number {
  return year !== null && year >= thisYear - YEARS_BACK && year <= thisYear + YEARS_AHEAD
}
