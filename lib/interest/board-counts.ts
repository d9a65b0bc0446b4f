import { NO_YEAR } from '@/lib/leads/lead-table'
import { type CountedLeads, getOrCreate } from './counted-leads'

/** By enrollment year, the day (since 1 January 1970) of each declaration, ascending. */
export type SchoolYears = ReadonlyMap<number, readonly number[]>
/** By school; exact. */
export type BoardCounts = ReadonlyMap<string, SchoolYears>

export function boardCounts({ declarations }: Pick<CountedLeads, 'declarations'>): BoardCounts {
  const { table, rows, day } = declarations
  const schools = table.schoolIds.map(() => new Map<number, number[]>())
  // Rows are newest first.
  for (let place = rows.length - 1; place >= 0; place--) {
    const row = rows[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    const years = schools[table.school[row] ?? -1]
    if (year !== NO_YEAR && years !== undefined) getOrCreate(years, year, (): number[] => []).push(day[place] ?? 0)
  }
  return new Map(schools.map((years, at) => [table.schoolIds[at] ?? '', years]))
}

/** What came to these schools, as if it had come to one; of all of them it is added up once. */
export function addedUp(counts: BoardCounts, schools: ReadonlySet<string>): SchoolYears {
  const isAll = [...counts].every(([id, { size }]) => size === 0 || schools.has(id))
  const known = isAll ? sums.get(counts) : undefined
  if (known) return known
  const years = new Map<number, (readonly number[])[]>()
  for (const id of schools)
    for (const [year, days] of counts.get(id) ?? []) getOrCreate(years, year, () => []).push(days)
  const sum = new Map([...years].map(([year, own]) => [year, [...Int32Array.from(own.flat()).sort()]]))
  if (isAll) sums.set(counts, sum)
  return sum
}

const sums = new WeakMap<BoardCounts, SchoolYears>()
