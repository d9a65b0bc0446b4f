import { NO_YEAR } from '@/lib/leads/lead-table'
import { type CountedLeads, getOrCreate } from './counted-leads'

/** A school's declarations for one enrollment year. */
export type SchoolYear = {
  /** The day (since 1 January 1970) of each, ascending. */
  days: number[]
}

/** By enrollment year. */
export type SchoolYears = ReadonlyMap<number, SchoolYear>
/** By school; exact. */
export type BoardCounts = ReadonlyMap<string, SchoolYears>

export function boardCounts({ declarations }: Pick<CountedLeads, 'declarations'>): BoardCounts {
  const { table, rows, day } = declarations
  const schools = table.schoolIds.map(() => new Map<number, SchoolYear>())
  const yearOf = (row: number): SchoolYear | null => {
    const year = table.year[row] ?? NO_YEAR
    const years = schools[table.school[row] ?? -1]
    if (year === NO_YEAR || years === undefined) return null
    const known = years.get(year)
    if (known) return known
    const made = { days: [] }
    years.set(year, made)
    return made
  }
  // Rows are newest first.
  for (let place = rows.length - 1; place >= 0; place--) yearOf(rows[place] ?? 0)?.days.push(day[place] ?? 0)
  return new Map(schools.map((years, at) => [table.schoolIds[at] ?? '', years]))
}

/** What came to these schools, as if it had come to one; of all of them it is added up once. */
export function addedUp(counts: BoardCounts, schools: ReadonlySet<string>): SchoolYears {
  const isAll = [...counts].every(([id, { size }]) => size === 0 || schools.has(id))
  const known = isAll ? sums.get(counts) : undefined
  if (known) return known
  const years = new Map<number, SchoolYear[]>()
  for (const id of schools) for (const [year, one] of counts.get(id) ?? []) getOrCreate(years, year, () => []).push(one)
  const sum = new Map(
    [...years].map(([year, own]) => [year, { days: [...Int32Array.from(own.flatMap(({ days }) => days)).sort()] }]),
  )
  if (isAll) sums.set(counts, sum)
  return sum
}

const sums = new WeakMap<BoardCounts, SchoolYears>()
