import { groupContacts } from '@/lib/contacts/person-index'
import { getSchoolId, isHiddenRow, type LeadTable } from '@/lib/leads/lead-table'
import { stockholmEpochDay } from '@/lib/time/stockholm'
import { findMonday } from '@/lib/time/weeks'

/** Each enrollment year, or `NO_YEAR`, has the days of its declarations (since 1 January 1970), ascending. */
export type DaysByYear = ReadonlyMap<number, readonly number[]>

/** The leads to one school, or to several together, in exact numbers. */
export type LeadArrivals = {
  days: DaysByYear
  /** The key is the Monday of the ISO week. */
  weeks: ReadonlyMap<number, Readonly<Record<InterestList, number>>>
}

/** The leads that are counted, newest first, with the Stockholm day of each. */
export type CountedRows = { table: LeadTable; rows: Uint32Array; days: Int32Array }

export type InterestTable = ReturnType<typeof buildInterestTable>

const LISTS = ['declarations', 'questions'] as const
type InterestList = (typeof LISTS)[number]
type Tables = Readonly<Record<InterestList, LeadTable>>

/**
 * Counts declarations and questions by school, year and week. `visibleTables` hide persons from the viewer: their leads are joined with no others,
 * and with `excludesHidden` left out as if the service had not sent them.
 */
export function buildInterestTable(
  tables: Tables,
  visibleTables: Tables,
  scope: 'all' | ReadonlySet<string>,
  excludesHidden: boolean,
) {
  const collectRows = (list: InterestList): CountedRows => {
    const table = tables[list]
    const counted = excludesHidden ? visibleTables[list] : table
    const isWithin = table.schoolIds.map((id) => scope === 'all' || scope.has(id))
    const isCounted = (row: number) => isWithin[table.school[row] ?? -1] === true && !isHiddenRow(counted, row)
    const rows = new Uint32Array(table.size).map((_, row) => row).filter(isCounted)
    return { table, rows, days: Int32Array.from(rows, (row) => stockholmEpochDay(table.createdAt[row] ?? 0)) }
  }
  const [declarations, questions] = [collectRows('declarations'), collectRows('questions')]
  const [contacts] = groupContacts([
    { ...visibleTables.declarations, rows: declarations.rows },
    { ...visibleTables.questions, rows: questions.rows },
  ])
  const tallies = new Map<string, ReturnType<typeof createTally>>()
  visitOldestFirst(declarations, (row, day, place) => {
    const { days, people, weeks } = getOrCreate(tallies, getSchoolId(declarations.table, row), createTally)
    const year = declarations.table.year[row] ?? 0
    getOrCreate(days, year, (): number[] => []).push(day)
    getOrCreate(people, year, () => new Set<number>()).add(contacts?.[place] ?? 0)
    getOrCreate(weeks, findMonday(day), createWeek).declarations++
  })
  visitOldestFirst(questions, (row, day) => {
    const { weeks } = getOrCreate(tallies, getSchoolId(questions.table, row), createTally)
    getOrCreate(weeks, findMonday(day), createWeek).questions++
  })
  const bySchool = new Map(
    [...tallies].map(([id, tally]) => {
      const people = new Map([...tally.people].map(([year, { size }]) => [year, size]))
      return [id, { ...tally, people }]
    }),
  )
  return { all: mergeArrivals([...bySchool.values()]), bySchool, declarations, questions }
}

/** Adds up the leads to these schools as if they had come to one. */
export function mergeArrivals(schools: readonly LeadArrivals[]): LeadArrivals {
  const days = new Map<number, (readonly number[])[]>()
  const weeks = new Map<number, Record<InterestList, number>>()
  for (const school of schools) {
    for (const [year, yearDays] of school.days) getOrCreate(days, year, () => []).push(yearDays)
    for (const [monday, week] of school.weeks) {
      const sum = getOrCreate(weeks, monday, createWeek)
      for (const list of LISTS) sum[list] += week[list]
    }
  }
  const ascending = (all: (readonly number[])[]) => [...Int32Array.from(all.flat()).sort()]
  return { days: new Map([...days].map(([year, all]) => [year, ascending(all)])), weeks }
}

const createWeek = () => ({ declarations: 0, questions: 0 })
const createTally = () => ({
  days: new Map<number, number[]>(),
  people: new Map<number, Set<number>>(),
  weeks: new Map<number, ReturnType<typeof createWeek>>(),
})

function visitOldestFirst({ rows, days }: CountedRows, visit: (row: number, day: number, place: number) => void): void {
  for (let place = rows.length - 1; place >= 0; place--) visit(rows[place] ?? 0, days[place] ?? 0, place)
}

export function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const made = make()
  map.set(key, made)
  return made
}
