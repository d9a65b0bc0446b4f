import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { DayWindow } from './cohort'
import type { CountedLeads, CountedRows } from './counted-leads'
import { countWeeks, type WeekCount } from './week-counts'

export type Unit = 'declarations' | 'people'
/** One number in either unit. */
export type InUnits<N = number> = Record<Unit, N>
/** `schools` null: all. */
export type InterestSelection = DayWindow & { schools: ReadonlySet<string> | null }

/** Declarations of each year that occurs and of all, and questions, which have no year. */
export type CountLine = { years: (InUnits & { year: number | null })[]; total: InUnits; questions: number }

/** Everything that is counted for one choice of schools and period. The days of the curves know no period. */
export type InterestCounts = {
  bySchool: (CountLine & { highSchoolId: string })[]
  total: CountLine
  weeks: WeekCount[]
  /** By how the sender wants the answer; the service may come to know other ways than e-mail and phone. */
  modes: { mode: string; questions: number }[]
  years: YearDays[]
}

/** Counts declarations, distinct people and questions. */
export function interestCounts(leads: CountedLeads, selection: InterestSelection): InterestCounts {
  const schools = new Map<string, Tallies>()
  const total = newTallies()
  const talliesOf = ({ schoolIds }: LeadTable) =>
    schoolIds.map((id) => (selection.schools?.has(id) === false ? null : getOrMake(schools, id, newTallies)))
  const [declarations, questions] = [leads.declarations.table, leads.questions.table]
  tallyDeclarations(leads, selection, talliesOf(declarations), total)
  const modes = tallyQuestions(leads.questions, selection, talliesOf(questions), total)
  const isChosen = chosenSchools(declarations, selection)
  return {
    bySchool: [...schools]
      .map(([highSchoolId, tallies]) => ({ highSchoolId, ...lineOf(tallies) }))
      .filter((line) => line.total.declarations + line.questions > 0),
    total: lineOf(total),
    weeks: countWeeks(leads, { ...selection, isChosen, isAsked: chosenSchools(questions, selection) }),
    modes,
    years: countCurves(leads, isChosen),
  }
}

/** For each school of the table, by its index: whether its leads are counted. */
export function chosenSchools(table: LeadTable, { schools }: Pick<InterestSelection, 'schools'>): boolean[] {
  return table.schoolIds.map((id) => schools === null || schools.has(id))
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
  return {
    years: [...years].map(([year, tally]) => ({ year: year === NO_YEAR ? null : year, ...countOf(tally) })),
    total: countOf(all),
    questions,
  }
}

function countOf({ declarations, people }: Tally): InUnits {
  return { declarations, people }
}

/** Every declaration once, at its school and in all; of a school that is not chosen there are no tallies. */
function tallyDeclarations(
  { declarations, byPerson }: CountedLeads,
  { from, to }: DayWindow,
  schools: readonly (Tallies | null)[],
  total: Tallies,
): void {
  const { table, rows, day, person } = declarations
  for (let index = 0; index < byPerson.length; index++) {
    const place = byPerson[index] ?? 0
    const row = rows[place] ?? 0
    const when = day[place] ?? 0
    const ofSchool = schools[table.school[row] ?? -1] ?? null
    if (ofSchool === null || when < from || when > to) continue
    const year = table.year[row] ?? NO_YEAR
    addDeclaration(ofSchool, year, person[place] ?? 0)
    addDeclaration(total, year, person[place] ?? 0)
  }
}

function addDeclaration({ all, years }: Tallies, year: number, person: number): void {
  add(all, person)
  add(getOrMake(years, year, newTally), person)
}

function add(tally: Tally, person: number): void {
  tally.declarations += 1
  if (tally.last !== person) tally.people += 1
  tally.last = person
}

function getOrMake<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key)
  if (value !== undefined) return value
  const made = make()
  known.set(key, made)
  return made
}

/** The same of questions; and how many of them ask for each mode. */
function tallyQuestions(
  { table, rows, day }: CountedRows,
  { from, to }: DayWindow,
  schools: readonly (Tallies | null)[],
  total: Tallies,
): InterestCounts['modes'] {
  const byMode = new Uint32Array(table.modes.length)
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const when = day[place] ?? 0
    const ofSchool = schools[table.school[row] ?? -1] ?? null
    if (ofSchool === null || when < from || when > to) continue
    ofSchool.questions += 1
    total.questions += 1
    const mode = table.mode[row] ?? 0
    byMode[mode] = (byMode[mode] ?? 0) + 1
  }
  const modes = table.modes.map((mode, index) => ({ mode, questions: byMode[index] ?? 0 }))
  return modes.filter(({ questions }) => questions > 0)
}

/** What came for one enrollment year, by day since 1 January 1970; a person counts on the day of their first declaration. */
export type YearDays = { year: number } & InUnits<ReadonlyMap<number, number>>

/** For each year that occurs, ascending. */
function countCurves({ declarations, byPerson }: CountedLeads, isChosen: readonly boolean[]): YearDays[] {
  const { table, rows, day } = declarations
  const isFirst = firstOfYears(declarations, byPerson, isChosen)
  const years = new Map<number, InUnits<Map<number, number>>>()
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    if (year === NO_YEAR || !isChosen[table.school[row] ?? -1]) continue
    const counts = getOrMake(years, year, newDays)
    const when = day[place] ?? 0
    counts.declarations.set(when, (counts.declarations.get(when) ?? 0) + 1)
    if (isFirst[place] === 1) counts.people.set(when, (counts.people.get(when) ?? 0) + 1)
  }
  return [...years].toSorted(([a], [b]) => a - b).map(([year, counts]) => ({ year, ...counts }))
}

function newDays(): InUnits<Map<number, number>> {
  return { declarations: new Map(), people: new Map() }
}

/** 1 for each place that is somebody's first declaration for its year to one of these schools. */
function firstOfYears({ table, rows, person }: CountedRows, byPerson: Uint32Array, isChosen: readonly boolean[]) {
  const isFirst = new Uint8Array(rows.length)
  const lastOf = new Map<number, number>()
  for (const place of byPerson) {
    const row = rows[place] ?? 0
    if (!isChosen[table.school[row] ?? -1]) continue
    const year = table.year[row] ?? NO_YEAR
    const who = person[place] ?? 0
    if (lastOf.get(year) === who) continue
    lastOf.set(year, who)
    isFirst[place] = 1
  }
  return isFirst
}
