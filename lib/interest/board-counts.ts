import { NO_YEAR } from '@/lib/leads/lead-table'
import { type CountedLeads, getOrCreate } from './counted-leads'

/** A school's declarations for one enrollment year. */
export type SchoolYear = {
  /** The day (since 1 January 1970) of each, ascending. */
  days: number[]
  /** Of the people who also declared to other schools: how many, and for how many this school was the first. */
  several: number
  first: number
}

/** By enrollment year. */
export type SchoolYears = ReadonlyMap<number, SchoolYear>
/** By school; exact. */
export type BoardCounts = ReadonlyMap<string, SchoolYears>

export function boardCounts({ declarations, byPerson }: Pick<CountedLeads, 'declarations' | 'byPerson'>): BoardCounts {
  const { table, rows, day, person } = declarations
  const schools = table.schoolIds.map(() => new Map<number, SchoolYear>())
  const yearOf = (row: number): SchoolYear | null => {
    const year = table.year[row] ?? NO_YEAR
    const years = schools[table.school[row] ?? -1]
    if (year === NO_YEAR || years === undefined) return null
    const known = years.get(year)
    if (known) return known
    const made = { days: [], several: 0, first: 0 }
    years.set(year, made)
    return made
  }
  // Rows are newest first.
  for (let place = rows.length - 1; place >= 0; place--) yearOf(rows[place] ?? 0)?.days.push(day[place] ?? 0)
  let start = 0
  for (let at = 1; at <= byPerson.length; at++) {
    const isSame = at < byPerson.length && person[byPerson[at] ?? 0] === person[byPerson[start] ?? 0]
    if (isSame) continue
    if (at - start > 1) countPerson(byPerson.subarray(start, at), declarations, yearOf)
    start = at
  }
  return new Map(schools.map((years, at) => [table.schoolIds[at] ?? '', years]))
}

/** The places of a person's declarations, the oldest first. */
function countPerson(
  places: Uint32Array,
  { table, rows }: CountedLeads['declarations'],
  yearOf: (row: number) => SchoolYear | null,
): void {
  const chosen = new Map<number, Set<SchoolYear>>()
  for (const place of places) {
    const row = rows[place] ?? 0
    const ofSchool = yearOf(row)
    if (ofSchool !== null) getOrCreate(chosen, table.year[row] ?? NO_YEAR, () => new Set<SchoolYear>()).add(ofSchool)
  }
  for (const ofYear of chosen.values()) countSeveral([...ofYear])
}

/** A person's schools for one year, in the order in which they declared to them. */
function countSeveral(schools: readonly SchoolYear[]): void {
  if (schools.length < 2) return
  for (const [place, school] of schools.entries()) {
    school.several += 1
    if (place === 0) school.first += 1
  }
}

/** What came to these schools, as if it had come to one; of all of them it is added up once. */
export function addedUp(counts: BoardCounts, schools: ReadonlySet<string>): SchoolYears {
  const isAll = [...counts].every(([id, { size }]) => size === 0 || schools.has(id))
  const known = isAll ? sums.get(counts) : undefined
  if (known) return known
  const years = new Map<number, SchoolYear[]>()
  for (const id of schools) for (const [year, one] of counts.get(id) ?? []) getOrCreate(years, year, () => []).push(one)
  const sum = new Map(
    [...years].map(([year, own]) => [
      year,
      {
        days: [...Int32Array.from(own.flatMap(({ days }) => days)).sort()],
        several: own.reduce((total, { several }) => total + several, 0),
        first: own.reduce((total, { first }) => total + first, 0),
      },
    ]),
  )
  if (isAll) sums.set(counts, sum)
  return sum
}

const sums = new WeakMap<BoardCounts, SchoolYears>()
