import { NO_YEAR } from '@/lib/leads/lead-table'
import type { CountedLeads } from './counted-leads'

/** What came for one enrollment year, by day since 1 January 1970; a person counts on the day of their first declaration. */
export type YearDays = { year: number; declarations: ReadonlyMap<number, number>; people: ReadonlyMap<number, number> }

/** For each year that occurs, ascending. */
export function countCurves({ declarations, byPerson }: CountedLeads, isChosen: readonly boolean[]): YearDays[] {
  const years = new Map<number, { declarations: DayCounts; people: DayCounts; last: number }>()
  const { table, rows, day, person } = declarations
  for (const place of byPerson) {
    const row = rows[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    if (year === NO_YEAR || !isChosen[table.school[row] ?? -1]) continue
    let counts = years.get(year)
    if (counts === undefined) years.set(year, (counts = { declarations: new Map(), people: new Map(), last: -1 }))
    const when = day[place] ?? 0
    increment(counts.declarations, when)
    const who = person[place] ?? 0
    if (counts.last !== who) increment(counts.people, when)
    counts.last = who
  }
  return [...years].toSorted(([a], [b]) => a - b).map(([year, counts]) => ({ year, ...counts }))
}

type DayCounts = Map<number, number>

function increment(counts: DayCounts, day: number): void {
  counts.set(day, (counts.get(day) ?? 0) + 1)
}
