import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { isoWeek, mondayOf, mondayOfWeek } from '@/lib/time/weeks'
import type { DayWindow } from './cohort'
import { type CountedLeads, type CountedRows, eachLead, getOrCreate, type InterestSelection } from './counted-leads'

export type Unit = 'declarations' | 'people'
export type InUnits<N = number> = Record<Unit, N>
export function inUnits<N>(of: (unit: Unit) => N): InUnits<N> {
  return { declarations: of('declarations'), people: of('people') }
}
export type CountLine = { years: (InUnits & { year: number | null })[]; total: InUnits; questions: number }

/** Everything that is counted for one choice of schools and period. The days of the curves know no period. */
export type InterestCounts = {
  bySchool: (CountLine & { highSchoolId: string })[]
  total: CountLine
  weeks: WeekCount[]
  modes: { mode: string; questions: number }[]
  years: YearDays[]
}

export function interestCounts(leads: CountedLeads, selection: InterestSelection): InterestCounts {
  const schools = new Map<string, Tallies>()
  const total = newTallies()
  const talliesOf = ({ schoolIds }: LeadTable) =>
    schoolIds.map((id) => (selection.schools?.has(id) === false ? null : getOrCreate(schools, id, newTallies)))
  const years = tallyDeclarations(leads, selection, talliesOf(leads.declarations.table), total)
  const modes = tallyQuestions(leads.questions, selection, talliesOf(leads.questions.table), total)
  return {
    bySchool: [...schools]
      .map(([highSchoolId, tallies]) => ({ highSchoolId, ...lineOf(tallies) }))
      .filter((line) => line.total.declarations + line.questions > 0),
    total: lineOf(total),
    weeks: countWeeks(leads, selection),
    modes,
    years,
  }
}

/** Leads, and the people they are by if each person's leads come together; the last of them so far. */
type Tally = { declarations: number; people: number; last: number }
type Tallies = { all: Tally; years: Map<number, Tally>; questions: number }

function newTally(): Tally {
  return { declarations: 0, people: 0, last: -1 }
}

function newTallies(): Tallies {
  return { all: newTally(), years: new Map(), questions: 0 }
}

function lineOf({ all, years, questions }: Tallies): CountLine {
  const countOf = ({ declarations, people }: Tally) => ({ declarations, people })
  return {
    years: [...years].map(([year, tally]) => ({ year: year === NO_YEAR ? null : year, ...countOf(tally) })),
    total: countOf(all),
    questions,
  }
}

/** What came for one enrollment year, by day; a person counts on the day of their first declaration. */
export type YearDays = { year: number } & InUnits<ReadonlyMap<number, number>>

/**
 * Every declaration once, at its school and in all; a school that is not chosen has no tallies. The days of the years
 * know no period. Each person's declarations come together, the oldest first.
 */
function tallyDeclarations(
  { declarations, byPerson }: CountedLeads,
  { from, to }: DayWindow,
  schools: readonly (Tallies | null)[],
  total: Tallies,
): YearDays[] {
  const { table, rows, day, person } = declarations
  const years = new Map<number, InUnits<Map<number, number>> & { last: number }>()
  for (let index = 0; index < byPerson.length; index++) {
    const place = byPerson[index] ?? 0
    const row = rows[place] ?? 0
    const when = day[place] ?? 0
    const who = person[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    const ofSchool = schools[table.school[row] ?? -1] ?? null
    if (ofSchool === null) continue
    if (year !== NO_YEAR) {
      const days = getOrCreate(years, year, () => ({ ...inUnits(() => new Map<number, number>()), last: -1 }))
      addDay(days.declarations, when)
      if (days.last !== who) addDay(days.people, when)
      days.last = who
    }
    if (when < from || when > to) continue
    addDeclaration(ofSchool, year, who)
    addDeclaration(total, year, who)
  }
  return [...years]
    .toSorted(([a], [b]) => a - b)
    .map(([year, { declarations: all, people }]) => ({ year, declarations: all, people }))
}

function addDay(days: Map<number, number>, day: number): void {
  days.set(day, (days.get(day) ?? 0) + 1)
}

function addDeclaration({ all, years }: Tallies, year: number, person: number): void {
  for (const tally of [all, getOrCreate(years, year, newTally)]) {
    tally.declarations += 1
    if (tally.last !== person) tally.people += 1
    tally.last = person
  }
}

function tallyQuestions(
  questions: CountedRows,
  selection: InterestSelection,
  schools: readonly (Tallies | null)[],
  total: Tallies,
): InterestCounts['modes'] {
  const { table } = questions
  const byMode = new Uint32Array(table.modes.length)
  eachLead(questions, selection, (row) => {
    const ofSchool = schools[table.school[row] ?? -1]
    if (ofSchool) ofSchool.questions += 1
    total.questions += 1
    const mode = table.mode[row] ?? 0
    byMode[mode] = (byMode[mode] ?? 0) + 1
  })
  const modes = table.modes.map((mode, index) => ({ mode, questions: byMode[index] ?? 0 }))
  return modes.filter((one) => one.questions > 0)
}

type WeekCount = { week: string; declarations: number; questions: number }

function countWeeks(leads: CountedLeads, selection: InterestSelection): WeekCount[] {
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

const WEEKS_SHOWN = 53

/** Also weeks in which nothing came: of the period as far as anything came, else the last year to `today`. */
export function shownWeeks<Figures>(
  weeks: readonly (Figures & { week: string })[],
  none: Figures,
  { from, to }: DayWindow,
  today: number,
): (Figures & { week: string })[] {
  const first = weeks[0] && mondayOfWeek(weeks[0].week)
  const last = mondayOf(Math.min(to, today))
  const isOpen = !Number.isFinite(from) && !Number.isFinite(to)
  const start = isOpen ? last - (WEEKS_SHOWN - 1) * 7 : mondayOf(Number.isFinite(from) ? from : (first ?? last))
  const byWeek = new Map(weeks.map((one) => [one.week, one]))
  const length = Math.min(MAX_WEEKS, Math.max(0, (last - start) / 7 + 1))
  return Array.from({ length }, (_, index) => {
    const week = isoWeek(last - (length - 1 - index) * 7)
    return byWeek.get(week) ?? { week, ...none }
  })
}

/** Ten years: the period may begin in the year 1900. */
const MAX_WEEKS = 522
