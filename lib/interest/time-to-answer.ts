import { groupBy } from '@/lib/group-by'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { type AnsweredLeads, type AnsweredRows, minutesWaited } from './first-answers'
import { chosenSchools, type InterestSelection } from './interest-counts'
import { FEW, LEAST_ANSWERED } from './small-groups'
import type { ToldLeads } from './told-leads'

export type AnswerTimes = { count: number; medianMinutes: number | null; p90Minutes: number | null }
export type TimeToAnswer = AnswerTimes & { bySchool: (AnswerTimes & { highSchoolId: string })[] }

/** How long the leads that are answered waited for it: from `createdAt` to their first answer. */
export function timeToAnswer(leads: AnsweredLeads, selection: InterestSelection): TimeToAnswer {
  return timesBySchool(minutesBySchool(leads, selection))
}

/**
 * The same for who may only count: over all time, and only of schools with eight or more, so that any two answers differ by
 * whole schools. Of a school where one to seven are left, all count as answered. Leads of small groups are in nothing, or whoever
 * takes what is told of a school from what is answered there has their number.
 */
export function toldTimeToAnswer(
  leads: AnsweredLeads,
  { schools }: Pick<InterestSelection, 'schools'>,
  small: Small,
): TimeToAnswer {
  const told = leadsWithoutFew(leads, small)
  const minutes = minutesBySchool(told, { schools, from: -Infinity, to: Infinity })
  const isFew = (waited: readonly number[]) => waited.length > 0 && waited.length < LEAST_ANSWERED
  const sizes = leadsBySchool(told)
  const { bySchool, ...all } = timesBySchool(
    new Map([...minutes].flatMap(([id, waited]) => (isFew(waited) ? [] : [[id, asIfAll(waited, sizes.get(id) ?? 0)]]))),
  )
  const few = [...minutes].flatMap(([highSchoolId, waited]) =>
    isFew(waited) ? [{ highSchoolId, ...FEW_ANSWERED }] : [],
  )
  return { ...all, bySchool: [...bySchool, ...few] }
}

type Small = Pick<ToldLeads, 'few' | 'fewQuestions'>

/** The leads that are in no group of one to four. */
export function leadsWithoutFew({ declarations, questions }: AnsweredLeads, small: Small): AnsweredLeads {
  return { declarations: withoutFew(declarations, small), questions: withoutFew(questions, small) }
}

/** The rows that are in no group of one to four: of a school and year, or of a school's questions. */
function withoutFew(leads: AnsweredRows, { few, fewQuestions }: Small): AnsweredRows {
  const { table, rows, day } = leads
  const isQuestions = table.kind === 'asked-question'
  const yearsOf = groupBy(few, ({ highSchoolId }) => highSchoolId)
  const smallYears = table.schoolIds.map((id) => new Set(yearsOf.get(id)?.map(({ year }) => year)))
  const small = new Set(fewQuestions)
  const isSmall = table.schoolIds.map((id) => small.has(id))
  const kept = new Uint32Array(rows.length)
  const days = new Int32Array(rows.length)
  let count = 0
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const school = table.school[row] ?? 0
    const isFew = isQuestions ? isSmall[school] : smallYears[school]?.has(table.year[row] ?? NO_YEAR)
    if (isFew === true) continue
    days[count] = day[place] ?? 0
    kept[count++] = row
  }
  return { ...leads, rows: kept.subarray(0, count), day: days.subarray(0, count) }
}

/** Where one to seven are left, those have waited as long as the median. */
function asIfAll(waited: readonly number[], size: number): readonly number[] {
  const left = size - waited.length
  const median =
    left >= 1 && left < LEAST_ANSWERED
      ? quantile(
          waited.toSorted((a, b) => a - b),
          0.5,
        )
      : null
  return median === null ? waited : [...waited, ...Array.from({ length: left }, () => median)]
}

const FEW_ANSWERED: AnswerTimes = { count: FEW, medianMinutes: null, p90Minutes: null }

function leadsBySchool(leads: AnsweredLeads): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { table, rows } of [leads.declarations, leads.questions]) {
    const counts = new Uint32Array(table.schoolIds.length)
    for (const row of rows) {
      const school = table.school[row] ?? 0
      counts[school] = (counts[school] ?? 0) + 1
    }
    table.schoolIds.forEach((id, school) => sizes.set(id, (sizes.get(id) ?? 0) + (counts[school] ?? 0)))
  }
  return sizes
}

function timesBySchool(minutes: ReadonlyMap<string, readonly number[]>): TimeToAnswer {
  const answered = [...minutes].filter(([, waited]) => waited.length > 0)
  return {
    ...timesOf(together(answered.map(([, waited]) => waited))),
    bySchool: answered.map(([highSchoolId, waited]) => ({ highSchoolId, ...timesOf(new Float64Array(waited)) })),
  }
}

/** Of each school, how long each of its answered leads waited. */
function minutesBySchool(leads: AnsweredLeads, selection: InterestSelection) {
  const bySchool = new Map<string, number[]>()
  for (const list of ['declarations', 'questions'] as const) {
    const { table, rows, day } = leads[list]
    const minutes = table.schoolIds.map((id) => listOf(bySchool, id))
    const isChosen = chosenSchools(table, selection)
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] ?? 0
      const when = day[place] ?? 0
      const school = table.school[row] ?? -1
      if (!isChosen[school] || when < selection.from || when > selection.to) continue
      const waited = minutesWaited(leads[list], row)
      if (!Number.isNaN(waited)) minutes[school]?.push(waited)
    }
  }
  return bySchool
}

function listOf(lists: Map<string, number[]>, id: string): number[] {
  const found = lists.get(id) ?? []
  lists.set(id, found)
  return found
}

function together(lists: readonly (readonly number[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** Puts the minutes in order. */
function timesOf(minutes: Float64Array): AnswerTimes {
  minutes.sort()
  return { count: minutes.length, medianMinutes: quantile(minutes, 0.5), p90Minutes: quantile(minutes, 0.9) }
}

/** The value below which `share` of the ascending numbers lie, interpolated linearly (SQL's percentile_cont); null of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number | null {
  const place = (ascending.length - 1) * share
  const below = ascending[Math.floor(place)]
  const above = ascending[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (place - Math.floor(place))
}
