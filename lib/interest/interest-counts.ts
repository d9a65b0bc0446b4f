import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { DayWindow } from './cohort'
import type { CountedLeads, CountedRows } from './counted-leads'
import { countWeeks, type WeekCount } from './week-counts'

export type Unit = 'declarations' | 'people'
/** One number in either unit. */
export type InUnits<N = number> = Record<Unit, N>
/** `schools` null: all. */
export type InterestSelection = DayWindow & { schools: ReadonlySet<string> | null }

/** Everything that is counted for one choice of schools and period. The days of the curves know no period. */
export type InterestCounts = {
  cells: (InUnits & { highSchoolId: string; year: number | null })[]
  byYear: (InUnits & { year: number | null })[]
  bySchool: (InUnits & { highSchoolId: string; questions: number })[]
  total: InUnits & { questions: number }
  weeks: WeekCount[]
  /** By how the sender wants the answer; the service may come to know other ways than e-mail and phone. */
  modes: { mode: string; questions: number }[]
  years: YearDays[]
}

/** Counts declarations, distinct people and questions. */
export function interestCounts(leads: CountedLeads, selection: InterestSelection): InterestCounts {
  const { table } = leads.declarations
  const isChosen = chosenSchools(table, selection)
  const asked = countQuestions(leads.questions, selection)
  const { all, years, schools } = tallied(leads, selection, isChosen)
  return {
    cells: [...years].flatMap(([year, { bySchool }]) =>
      [...bySchool].map(([school, tally]) => ({
        highSchoolId: table.schoolIds[school] ?? '',
        year: yearOrNull(year),
        ...countOf(tally),
      })),
    ),
    byYear: [...years].map(([year, { ofYear }]) => ({ year: yearOrNull(year), ...countOf(ofYear) })),
    bySchool: withQuestions(table, schools, asked.bySchool),
    total: { ...countOf(all), questions: asked.total },
    weeks: countWeeks(leads, { ...selection, isChosen, isAsked: chosenSchools(leads.questions.table, selection) }),
    modes: asked.modes,
    years: countCurves(leads, isChosen),
  }
}

/** For each school of the table, by its index: whether its leads are counted. */
export function chosenSchools(table: LeadTable, { schools }: Pick<InterestSelection, 'schools'>): boolean[] {
  return table.schoolIds.map((id) => schools === null || schools.has(id))
}

/** Leads, and the people they are by if each person's leads come together; the last of them so far. */
type Tally = { declarations: number; people: number; last: number }
type YearTallies = { ofYear: Tally; bySchool: Map<number, Tally> }

/** Every declaration once, at its year, its school, both and in all. */
function tallied(
  { declarations, byPerson }: CountedLeads,
  { from, to }: InterestSelection,
  isChosen: readonly boolean[],
) {
  const { table, rows, day, person } = declarations
  const years = new Map<number, YearTallies>()
  const schools = table.schoolIds.map(newTally)
  const all = newTally()
  for (let index = 0; index < byPerson.length; index++) {
    const place = byPerson[index] ?? 0
    const row = rows[place] ?? 0
    const school = table.school[row] ?? 0
    const when = day[place] ?? 0
    const ofSchool = schools[school]
    if (ofSchool === undefined || !isChosen[school] || when < from || when > to) continue
    const who = person[place] ?? 0
    const { ofYear, bySchool } = getOrMake(years, table.year[row] ?? NO_YEAR, newYear)
    add(getOrMake(bySchool, school, newTally), who)
    add(ofYear, who)
    add(ofSchool, who)
    add(all, who)
  }
  return { all, years, schools }
}

function add(tally: Tally, person: number): void {
  tally.declarations += 1
  if (tally.last !== person) tally.people += 1
  tally.last = person
}

function newTally(): Tally {
  return { declarations: 0, people: 0, last: -1 }
}

function newYear(): YearTallies {
  return { ofYear: newTally(), bySchool: new Map() }
}

function getOrMake<T>(known: Map<number, T>, key: number, make: () => T): T {
  const value = known.get(key)
  if (value !== undefined) return value
  const made = make()
  known.set(key, made)
  return made
}

function countOf({ declarations, people }: Tally): InUnits {
  return { declarations, people }
}

function countQuestions({ table, rows, day }: CountedRows, selection: InterestSelection) {
  const isChosen = chosenSchools(table, selection)
  const ofSchool = new Uint32Array(table.schoolIds.length)
  const byMode = new Uint32Array(table.modes.length)
  let total = 0
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const school = table.school[row] ?? 0
    const when = day[place] ?? 0
    if (!isChosen[school] || when < selection.from || when > selection.to) continue
    ofSchool[school] = (ofSchool[school] ?? 0) + 1
    const mode = table.mode[row] ?? 0
    byMode[mode] = (byMode[mode] ?? 0) + 1
    total += 1
  }
  const bySchool = new Map(table.schoolIds.map((id, school) => [id, ofSchool[school] ?? 0]))
  const modes = table.modes.map((mode, index) => ({ mode, questions: byMode[index] ?? 0 }))
  return { total, bySchool, modes: modes.filter(({ questions }) => questions > 0) }
}

function withQuestions(
  { schoolIds }: LeadTable,
  tallies: readonly Tally[],
  asked: ReadonlyMap<string, number>,
): InterestCounts['bySchool'] {
  const counts = new Map(schoolIds.map((id, school) => [id, countOf(tallies[school] ?? newTally())]))
  return [...new Set([...schoolIds, ...asked.keys()])]
    .map((highSchoolId) => ({
      highSchoolId,
      ...(counts.get(highSchoolId) ?? NONE),
      questions: asked.get(highSchoolId) ?? 0,
    }))
    .filter(({ declarations, questions }) => declarations + questions > 0)
}

const NONE: InUnits = { declarations: 0, people: 0 }

function yearOrNull(year: number): number | null {
  return year === NO_YEAR ? null : year
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
