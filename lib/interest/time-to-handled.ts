import { groupBy } from '@/lib/group-by'
import { NO_YEAR } from '@/lib/leads/lead-table'
import type { TriageOf } from '@/lib/leads/triage-columns'
import { dayText, stockholmDayStart } from '@/lib/time/stockholm'
import type { CountedLeads, CountedRows } from './counted-leads'
import { chosenSchools, type InterestSelection } from './interest-counts'
import { FEW, LEAST_GROUP } from './small-groups'
import type { ToldLeads } from './told-leads'

export type HandlingTimes = { count: number; medianMinutes: number | null; p90Minutes: number | null }
export type TimeToHandled = HandlingTimes & { bySchool: (HandlingTimes & { highSchoolId: string })[] }
export type TriageOfBoth = { declarations: TriageOf; questions: TriageOf }

/** How long the leads that are handled waited for it: from `createdAt` to the moment they got that status. */
export function timeToHandled(leads: CountedLeads, selection: InterestSelection, triage: TriageOfBoth): TimeToHandled {
  return timesBySchool(minutesBySchool(leads, selection, triage))
}

/**
 * The same for who may only count: over all time, and only of schools with five or more, so that any two answers differ by
 * whole schools. Of a school where one to four are left, all count as handled. Leads of small groups are in nothing, or whoever
 * takes what is told of a school from what is handled there has their number.
 */
export function toldTimeToHandled(
  leads: CountedLeads,
  { schools }: Pick<InterestSelection, 'schools'>,
  triage: TriageOfBoth,
  small: Pick<ToldLeads, 'few' | 'fewQuestions'>,
): TimeToHandled {
  const told = { declarations: withoutFew(leads.declarations, small), questions: withoutFew(leads.questions, small) }
  const minutes = minutesBySchool(told, { schools, from: -Infinity, to: Infinity }, triage)
  const isFew = (waited: readonly number[]) => waited.length > 0 && waited.length < LEAST_GROUP
  const sizes = leadsBySchool(told)
  const { bySchool, ...all } = timesBySchool(
    new Map([...minutes].flatMap(([id, waited]) => (isFew(waited) ? [] : [[id, asIfAll(waited, sizes.get(id) ?? 0)]]))),
  )
  const few = [...minutes].flatMap(([highSchoolId, waited]) =>
    isFew(waited) ? [{ highSchoolId, ...FEW_HANDLED }] : [],
  )
  return { ...all, bySchool: [...bySchool, ...few] }
}

type RowsOfTable = Pick<CountedRows, 'table' | 'rows'>
type Both = Record<'declarations' | 'questions', RowsOfTable>

/** The rows that are in no group of one to four: of a school and year, or of a school's questions. */
function withoutFew({ table, rows }: RowsOfTable, { few, fewQuestions }: Pick<ToldLeads, 'few' | 'fewQuestions'>) {
  const isQuestions = table.kind === 'asked-question'
  const yearsOf = groupBy(few, ({ highSchoolId }) => highSchoolId)
  const smallYears = table.schoolIds.map((id) => new Set(yearsOf.get(id)?.map(({ year }) => year)))
  const isSmall = table.schoolIds.map((id) => fewQuestions.includes(id))
  const kept = new Uint32Array(rows.length)
  let count = 0
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const school = table.school[row] ?? 0
    const isFew = isQuestions ? isSmall[school] : smallYears[school]?.has(table.year[row] ?? NO_YEAR)
    if (isFew !== true) kept[count++] = row
  }
  return { table, rows: kept.subarray(0, count) }
}

/** Where one to four are left, those have waited as long as the median. */
function asIfAll(waited: readonly number[], size: number): readonly number[] {
  const left = size - waited.length
  const median =
    left >= 1 && left < LEAST_GROUP
      ? quantile(
          waited.toSorted((a, b) => a - b),
          0.5,
        )
      : null
  return median === null ? waited : [...waited, ...Array.from({ length: left }, () => median)]
}

const FEW_HANDLED: HandlingTimes = { count: FEW, medianMinutes: null, p90Minutes: null }

function leadsBySchool(leads: Both): Map<string, number> {
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

function timesBySchool(minutes: ReadonlyMap<string, readonly number[]>): TimeToHandled {
  const handled = [...minutes].filter(([, waited]) => waited.length > 0)
  return {
    ...timesOf(together(handled.map(([, waited]) => waited))),
    bySchool: handled.map(([highSchoolId, waited]) => ({ highSchoolId, ...timesOf(new Float64Array(waited)) })),
  }
}

/** Of each school, how long each of its handled leads waited. */
function minutesBySchool(leads: Both, selection: InterestSelection, triage: TriageOfBoth) {
  const since = Number.isFinite(selection.from) ? stockholmDayStart(dayText(selection.from)) : -Infinity
  const before = Number.isFinite(selection.to) ? stockholmDayStart(dayText(selection.to + 1)) : Infinity
  const bySchool = new Map<string, number[]>()
  for (const list of ['declarations', 'questions'] as const) {
    const { table } = leads[list]
    const minutes = table.schoolIds.map((id) => listOf(bySchool, id))
    const isCounted = countedRows(leads[list], selection)
    for (const [id, { status, updatedAt }] of triage[list]) {
      const row = status === 'handled' && updatedAt !== null ? table.rowOf(id) : -1
      if (row === -1 || isCounted[row] !== 1) continue
      const createdAt = table.createdAt[row] ?? Number.NaN
      // A lead may bear a time that our clock has not reached yet.
      if (createdAt >= since && createdAt < before)
        minutes[table.school[row] ?? -1]?.push(Math.max(0, (updatedAt ?? 0) - createdAt) / 60_000)
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

/** 1 for each row of the table within reach and of a chosen school. */
function countedRows({ table, rows }: RowsOfTable, selection: InterestSelection): Uint8Array {
  const isChosen = chosenSchools(table, selection)
  const isCounted = new Uint8Array(table.size)
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    if (isChosen[table.school[row] ?? -1]) isCounted[row] = 1
  }
  return isCounted
}

/** Puts the minutes in order. */
function timesOf(minutes: Float64Array): HandlingTimes {
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
