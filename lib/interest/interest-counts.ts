import { NO_YEAR, type LeadTable } from '@/lib/leads/lead-table'
import type { CountedLeads, CountedRows } from './counted-leads'
import { countCurves, type YearDays } from './year-days'
import { countWeeks, type WeekCount } from './week-counts'

/** `isAbout`: it stands for a small group that is not told, or is a sum with such in it. */
export type Count = { declarations: number; people: number; isAbout?: true }
export type InterestSelection = {
  /** Null: all. */
  schools: ReadonlySet<string> | null
  /** The first and the last day since 1 January 1970; infinite where the period is open. */
  from: number
  to: number
}

/** Everything that is counted for one choice of schools and period. The days of the curves know no period. */
export type InterestCounts = {
  cells: (Count & { highSchoolId: string; year: number | null })[]
  byYear: (Count & { year: number | null })[]
  bySchool: (Count & { highSchoolId: string; questions: number })[]
  total: Count & { questions: number; areQuestionsAbout?: true }
  weeks: WeekCount[]
  /** By how the sender wants the answer; the service may come to know other ways than e-mail and phone. */
  modes: { mode: string; questions: number }[]
  years: YearDays[]
}

/** Counts declarations, distinct people and questions. */
export function interestCounts(leads: CountedLeads, selection: InterestSelection): InterestCounts {
  const { table } = leads.declarations
  const isChosen = choice(table, selection)
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
    weeks: countWeeks(leads, { ...selection, isChosen, isAsked: choice(leads.questions.table, selection) }),
    modes: asked.modes,
    years: countCurves(leads, isChosen),
  }
}

export function choice(table: LeadTable, { schools }: InterestSelection): boolean[] {
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
    const { ofYear, bySchool } = found(years, table.year[row] ?? NO_YEAR, newYear)
    add(found(bySchool, school, newTally), who)
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

function found<T>(known: Map<number, T>, key: number, make: () => T): T {
  const value = known.get(key)
  if (value !== undefined) return value
  const made = make()
  known.set(key, made)
  return made
}

function countOf({ declarations, people }: Tally): Count {
  return { declarations, people }
}

function countQuestions({ table, rows, day }: CountedRows, selection: InterestSelection) {
  const isChosen = choice(table, selection)
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

const NONE: Count = { declarations: 0, people: 0 }

function yearOrNull(year: number): number | null {
  return year === NO_YEAR ? null : year
}
