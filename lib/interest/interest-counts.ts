import { NO_YEAR } from '@/lib/leads/lead-table'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import type { DayWindow } from './cohort'
import { type CountedLeads, eachLead, getOrCreate, type InterestSelection } from './counted-leads'

/** Everything that is counted for one choice of schools and period. The days of the curves know no period. */
export type InterestCounts = {
  bySchool: { highSchoolId: string; years: { year: number | null; declarations: number; people: number }[] }[]
  years: YearDays[]
}

export function interestCounts(leads: CountedLeads, selection: InterestSelection): InterestCounts {
  const schools = new Map<string, Tallies>()
  const years = tallyDeclarations(
    leads,
    selection,
    leads.declarations.table.schoolIds.map((id) =>
      selection.schools?.has(id) === false ? null : getOrCreate(schools, id, (): Tallies => new Map()),
    ),
  )
  return {
    bySchool: [...schools].flatMap(([highSchoolId, tallies]) =>
      tallies.size === 0 ? [] : [{ highSchoolId, years: countsOf(tallies) }],
    ),
    years,
  }
}

/** Leads, and the people they are by if each person's leads come together; the last of them so far. */
type Tally = { declarations: number; people: number; last: number }
type Tallies = Map<number, Tally>

function countsOf(tallies: Tallies) {
  return [...tallies].map(([year, { declarations, people }]) => ({
    year: year === NO_YEAR ? null : year,
    declarations,
    people,
  }))
}

/** How many came for one enrollment year, by day. */
export type YearDays = { year: number; days: ReadonlyMap<number, number> }

/**
 * Every declaration once, at its school; a school that is not chosen has no tallies. The days of the years know no
 * period. Each person's declarations come together, the oldest first.
 */
function tallyDeclarations(
  { declarations, byPerson }: CountedLeads,
  { from, to }: DayWindow,
  schools: readonly (Tallies | null)[],
): YearDays[] {
  const { table, rows, day, person } = declarations
  const years = new Map<number, Map<number, number>>()
  for (const place of byPerson) {
    const row = rows[place] ?? 0
    const when = day[place] ?? 0
    const who = person[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    const ofSchool = schools[table.school[row] ?? -1] ?? null
    if (ofSchool === null) continue
    if (year !== NO_YEAR) {
      const days = getOrCreate(years, year, () => new Map<number, number>())
      days.set(when, (days.get(when) ?? 0) + 1)
    }
    if (when < from || when > to) continue
    const tally = getOrCreate(ofSchool, year, () => ({ declarations: 0, people: 0, last: -1 }))
    tally.declarations += 1
    if (tally.last !== who) tally.people += 1
    tally.last = who
  }
  return [...years].toSorted(([a], [b]) => a - b).map(([year, days]) => ({ year, days }))
}

export type WeekCount = { week: string; declarations: number; questions: number }

export function countWeeks(leads: CountedLeads, selection: InterestSelection): WeekCount[] {
  const weeks = new Map<number, Omit<WeekCount, 'week'>>()
  for (const what of ['declarations', 'questions'] as const) {
    let [monday, week] = [Number.NaN, { declarations: 0, questions: 0 }]
    eachLead(leads[what], selection, (_row, day) => {
      // Rows are in the order of time, so the week is mostly the one before.
      if (!(day >= monday && day < monday + 7)) {
        monday = mondayOf(day)
        week = getOrCreate(weeks, monday, () => ({ declarations: 0, questions: 0 }))
      }
      week[what] += 1
    })
  }
  return [...weeks].toSorted(([a], [b]) => a - b).map(([monday, counts]) => ({ week: isoWeek(monday), ...counts }))
}

/** `[cycleDay, cumulative]`, ascending, one for each day on which something came. */
export function curveOf(days: YearDays['days'], zero: number): [cycleDay: number, cumulative: number][] {
  let sum = 0
  return [...days].toSorted(([a], [b]) => a - b).map(([day, count]) => [day - zero, (sum += count)])
}
