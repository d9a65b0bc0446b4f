import { groupContacts } from '@/lib/contacts/person-index'
import { getOrCreate } from '@/lib/get-or-create'
import { getSchoolId, type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { selectVisibleRows } from '@/lib/leads/select-rows'
import { toStockholmEpochDay } from '@/lib/time/stockholm'
import { findMonday } from '@/lib/time/weeks'

/** The days (since 1 January 1970) of the declarations for each enrollment year or `NO_YEAR`, ascending. */
export type DaysByYear = ReadonlyMap<number, readonly number[]>

/** The exact numbers of leads that came to one school, or to several together. */
export type LeadArrivals = {
  days: DaysByYear
  /** The key is the Monday of an ISO week, in days since 1 January 1970. */
  weeks: ReadonlyMap<number, Readonly<Record<InterestList, number>>>
}

/** The counted leads of a list, newest first, with their Stockholm days (since 1 January 1970). */
export type CountedRows = { table: LeadTable; rows: Uint32Array; days: Int32Array }

export type InterestTable = ReturnType<typeof buildInterestTable>

const LISTS = ['declarations', 'questions'] as const
type InterestList = (typeof LISTS)[number]
type Tables = Readonly<Record<InterestList, LeadTable>>

type InterestTableOptions = {
  tables: Tables
  /** These hide persons whom the viewer may not see, so that no hidden lead joins a contact. */
  visibleTables: Tables
  scope: 'all' | ReadonlySet<string>
  /** Otherwise hidden leads are counted, too, each as a contact of its own. */
  excludesHidden: boolean
}

export function buildInterestTable({ tables, visibleTables, scope, excludesHidden }: InterestTableOptions) {
  const collectRows = (list: InterestList): CountedRows => {
    const table = tables[list]
    const rows = selectVisibleRows(excludesHidden ? visibleTables[list] : table, scope)
    return { table, rows, days: Int32Array.from(rows, (row) => toStockholmEpochDay(table.createdAt[row] ?? 0)) }
  }
  const declarations = collectRows('declarations')
  const questions = collectRows('questions')
  const [contactIds] = groupContacts([
    { ...visibleTables.declarations, rows: declarations.rows },
    { ...visibleTables.questions, rows: questions.rows },
  ])
  const tallies = new Map<string, ReturnType<typeof createTally>>()
  visitOldestFirst(declarations, (row, day, index) => {
    const { days, people, weeks } = getOrCreate(tallies, getSchoolId(declarations.table, row), createTally)
    const year = declarations.table.year[row] ?? NO_YEAR
    getOrCreate(days, year, (): number[] => []).push(day)
    getOrCreate(people, year, () => new Set<number>()).add(contactIds?.[index] ?? 0)
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
  const sortDays = (schoolDays: (readonly number[])[]) => [...Int32Array.from(schoolDays.flat()).sort()]
  return { days: new Map([...days].map(([year, schoolDays]) => [year, sortDays(schoolDays)])), weeks }
}

const createWeek = () => ({ declarations: 0, questions: 0 })
const createTally = () => ({
  days: new Map<number, number[]>(),
  people: new Map<number, Set<number>>(),
  weeks: new Map<number, ReturnType<typeof createWeek>>(),
})

function visitOldestFirst({ rows, days }: CountedRows, visit: (row: number, day: number, index: number) => void): void {
  for (let index = rows.length - 1; index >= 0; index--) visit(rows[index] ?? 0, days[index] ?? 0, index)
}
