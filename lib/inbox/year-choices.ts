import { isPlausibleYear } from '@/lib/leads/plausible-year'

const YEARS_BACK = 1
const YEARS_AHEAD = 4

type YearChoices = {
  /** One choice each, in their order. */
  years: number[]
  /** Those that cannot be right, together one choice. */
  others: number[]
}

/** The years that declarations are about now, any other that there are, and those that the filter has already. */
export function yearChoices(thisYear: number, counted: readonly number[], chosen: readonly number[]): YearChoices {
  const near = Array.from({ length: YEARS_BACK + 1 + YEARS_AHEAD }, (_, at) => thisYear - YEARS_BACK + at)
  const all = [...new Set([...near, ...counted, ...chosen])].toSorted((a, b) => a - b)
  const isYear = (year: number) => isPlausibleYear(year, thisYear)
  return { years: all.filter(isYear), others: all.filter((year) => !isYear(year)) }
}
