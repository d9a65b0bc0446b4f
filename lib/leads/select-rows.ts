import type { LeadFilter } from '@/lib/contract/list-query'
import { stockholmDayEnd, stockholmDayStart } from '@/lib/time/stockholm'
import { bitsOfTopics } from '@/lib/topics/topic-list'
import { isHiddenRow, type LeadTable, workingSpace } from './lead-table'
import { tableSearch } from './table-search'
import type { TriageEntry, TriageOf } from './triage-columns'
import { needsAnswer, earlierRows, isFollowUp, isSnoozed, type WorkRules } from './work-rules'

export type SelectionContext = {
  schools: 'all' | ReadonlySet<string>
  viewerId: string
  lastVisitAt: number | null
  triage: TriageOf
  work: WorkRules
  topics: TopicRows
}

/** The topics of a table's questions, by row. */
export type TopicRows = { bitsOf: (table: LeadTable) => Uint32Array }

export const noTopics: TopicRows = { bitsOf: () => new Uint32Array(0) }

/** In the table's order. Read only: others may have them too. */
export function selectRows(table: LeadTable, filter: LeadFilter, context: SelectionContext): Uint32Array {
  const [from, until] = period(table, filter)
  const schools = schoolsIn(table, filter.school, context.schools)
  const few = fewRows(table, filter.id, schools)
  const all =
    few === null ? everyRow(table.size).subarray(from, until) : few.filter((row) => from <= row && row < until)
  const conditions = rowFilters(table, filter, context, schools)
  if (conditions.length === 0) return all
  let rows = inQuestion(all.length)
  rows.set(all)
  for (const sieve of conditions) rows = sieve(rows)
  return rows.slice()
}

const inQuestion = workingSpace((size) => new Uint32Array(size))

type Rows = Uint32Array<ArrayBuffer>

let ascending: Rows = new Uint32Array(0)

function everyRow(size: number): Rows {
  if (ascending.length < size) {
    ascending = new Uint32Array(size)
    for (let row = 0; row < size; row++) ascending[row] = row
  }
  return ascending.subarray(0, size)
}

/** Fewer rows are gathered faster than all are looked at. */
const LOOKUP_SHARE = 1 / 8

/** Null where all rows must be looked at. The cost of one school does not grow with the others. */
function fewRows(table: LeadTable, ids: string[] | undefined, schools: ReadonlySet<number> | null): Rows | null {
  if (ids !== undefined)
    return Uint32Array.from(new Set(ids.map((id) => table.rowOf(id)).filter((row) => row !== -1))).sort()
  if (schools === null) return null
  const groups = [...schools].map((school) => rowsOfSchool(table, school))
  const size = groups.reduce((sum, group) => sum + group.length, 0)
  if (size > table.size * LOOKUP_SHARE) return null
  const rows = new Uint32Array(size)
  let at = 0
  for (const group of groups) {
    rows.set(group, at)
    at += group.length
  }
  return groups.length > 1 ? rows.sort() : rows
}

type SchoolRows = { starts: Uint32Array; rows: Rows }

const bySchool = new WeakMap<LeadTable, SchoolRows>()

function rowsOfSchool(table: LeadTable, school: number): Rows {
  const { starts, rows } = bySchool.get(table) ?? groupBySchool(table)
  return rows.subarray(starts[school], starts[school + 1])
}

function groupBySchool(table: LeadTable): SchoolRows {
  const starts = new Uint32Array(table.schoolIds.length + 1)
  const add = (at: number, number: number) => (starts[at] = (starts[at] ?? 0) + number)
  for (let row = 0; row < table.size; row++) add((table.school[row] ?? 0) + 1, 1)
  for (let school = 1; school < starts.length; school++) add(school, starts[school - 1] ?? 0)
  const next = starts.slice()
  const rows = new Uint32Array(table.size)
  for (let row = 0; row < table.size; row++) {
    const school = table.school[row] ?? 0
    const at = next[school] ?? 0
    rows[at] = row
    next[school] = at + 1
  }
  const groups = { starts, rows }
  bySchool.set(table, groups)
  return groups
}

/** A table is newest first, so a period is one stretch of it. */
function period(table: LeadTable, filter: LeadFilter): [from: number, until: number] {
  const before = filter.to === undefined ? Infinity : stockholmDayEnd(filter.to) + 1
  const since = filter.from === undefined ? -Infinity : stockholmDayStart(filter.from)
  const from = firstRowBefore(table, before)
  return [from, Math.max(from, firstRowBefore(table, since))]
}

function firstRowBefore(table: LeadTable, moment: number): number {
  let low = 0
  let high = table.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((table.createdAt[middle] ?? 0) < moment) high = middle
    else low = middle + 1
  }
  return low
}

/** Keeps the rows that pass, in place. One loop for each condition, because a call for each row costs more than it. */
type RowFilter = (rows: Rows) => Rows

function rowFilters(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  schools: ReadonlySet<number> | null,
): RowFilter[] {
  const modes = filter.mode && new Set<string>(filter.mode)
  return [
    freshFilter(table, filter.fresh, context.lastVisitAt),
    schools && columnFilter(schools, table.school),
    filter.year && columnFilter(new Set(filter.year), table.year),
    modes &&
      columnFilter(
        indexesWhere(table.modes, (mode) => modes.has(mode)),
        table.mode,
      ),
    earlierFilter(table, filter.earlier, context.work),
    (filter.waiting === true || filter.late === true) && earlierFilter(table, false, context.work),
    filter.late === true &&
      ((rows: Rows) => filterInPlace(rows, (row) => (table.createdAt[row] ?? 0) < context.work.lateBefore)),
    triageConditions(table, filter, context),
    notWaitingFilter(table, filter, context),
    topicFilter(table, filter.topic, context.topics),
    searchFilter(table, filter.q),
  ].filter((sieve) => typeof sieve === 'function')
}

/** After a first visit everything is new. */
function freshFilter({ seenAt }: LeadTable, wanted: boolean | undefined, lastVisitAt: number | null): RowFilter | null {
  if (wanted !== true || lastVisitAt === null) return null
  return (rows) => filterInPlace(rows, (row) => (seenAt[row] ?? 0) > lastVisitAt)
}

function topicFilter(table: LeadTable, wanted: string[] | undefined, topics: TopicRows): RowFilter | null {
  if (wanted === undefined) return null
  const mask = bitsOfTopics(wanted)
  return (rows) => {
    const bits = topics.bitsOf(table)
    return filterInPlace(rows, (row) => ((bits[row] ?? 0) & mask) !== 0 && !isHiddenRow(table, row))
  }
}

function columnFilter(wanted: ReadonlySet<number>, column: Int32Array | Uint32Array): RowFilter {
  return (rows) => filterInPlace(rows, (row) => wanted.has(column[row] ?? -1))
}

function filterInPlace(rows: Rows, passes: (row: number) => boolean): Rows {
  let kept = 0
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0
    if (passes(row)) rows[kept++] = row
  }
  return rows.subarray(0, kept)
}

/** Reach and filter at once, by index; null for all. */
function schoolsIn(
  table: LeadTable,
  wanted: string[] | undefined,
  scope: SelectionContext['schools'],
): ReadonlySet<number> | null {
  if (wanted === undefined && scope === 'all') return null
  const chosen = wanted === undefined ? null : new Set(wanted)
  return indexesWhere(
    table.schoolIds,
    (id) => (scope === 'all' || scope.has(id)) && (chosen === null || chosen.has(id)),
  )
}

function indexesWhere(values: readonly string[], passes: (value: string) => boolean): Set<number> {
  return new Set(values.flatMap((value, index) => (passes(value) ? [index] : [])))
}

function earlierFilter(table: LeadTable, wanted: boolean | undefined, work: WorkRules): RowFilter | null {
  if (wanted === undefined || (wanted === false && work.from === -Infinity && work.openYear === -Infinity)) return null
  const isEarlier = earlierRows(table, work)
  return (rows) => filterInPlace(rows, (row) => isEarlier(row) === wanted)
}

type Decides = (entry: TriageEntry | undefined) => boolean

/** All conditions on the triage at once: looking it up costs the most. */
function triageConditions(table: LeadTable, filter: LeadFilter, context: SelectionContext): RowFilter | null {
  const { work, viewerId } = context
  const statuses = filter.status && new Set<string>(filter.status)
  const people = filter.assignee && new Set(filter.assignee.map((who) => (who === 'me' ? viewerId : who)))
  const isWanted = (wanted: boolean | undefined, is: Decides): Decides | undefined =>
    wanted === undefined ? undefined : (entry) => is(entry) === wanted
  const conditions = [
    statuses && ((entry: TriageEntry | undefined) => statuses.has(entry?.status ?? 'new')),
    people && ((entry: TriageEntry | undefined) => people.has(entry?.assigneeId ?? 'none')),
    isWanted(filter.answered, (entry) => entry?.answeredAt != null),
    isWanted(filter.snoozed, (entry) => isSnoozed(entry, work)),
    isWanted(filter.followUp, (entry) => isFollowUp(entry, work)),
    filter.waiting === true || filter.late === true
      ? (entry: TriageEntry | undefined) => needsAnswer(entry, work)
      : undefined,
  ].filter((part) => part !== undefined)
  if (conditions.length === 0) return null
  return triageFilter(table, context.triage, (entry) => conditions.every((passes) => passes(entry)))
}

function notWaitingFilter(
  table: LeadTable,
  { waiting, late }: LeadFilter,
  context: SelectionContext,
): RowFilter | null {
  if (waiting !== false && late !== false) return null
  return (rows) => {
    const isWaiting = waitingRows(table, context)
    const before = waiting === false ? Infinity : context.work.lateBefore
    return filterInPlace(rows, (row) => !(isWaiting(row) && (table.createdAt[row] ?? 0) < before))
  }
}

export function waitingRows(table: LeadTable, { triage, work }: Pick<SelectionContext, 'triage' | 'work'>) {
  const isEarlier = earlierRows(table, work)
  return (row: number): boolean => !isEarlier(row) && needsAnswer(triage.get(table.id[row] ?? ''), work)
}

/** Looks up the fewer of the rows in question and the leads with triage. */
function triageFilter(
  table: LeadTable,
  triage: TriageOf,
  passes: (entry: TriageEntry | undefined) => boolean,
): RowFilter {
  return (rows) => {
    if (rows.length <= Math.max(triage.size, table.size * LOOKUP_SHARE))
      return filterInPlace(rows, (row) => passes(triage.get(table.id[row] ?? '')))
    const untouchedPass = passes(undefined)
    const others = new Uint8Array(table.size)
    for (const [id, entry] of triage) {
      const row = passes(entry) === untouchedPass ? -1 : table.rowOf(id)
      if (row !== -1) others[row] = 1
    }
    return filterInPlace(rows, (row) => (others[row] === 1) !== untouchedPass)
  }
}

function searchFilter(table: LeadTable, query: string | undefined): RowFilter | null {
  const search = tableSearch(table, query)
  return (
    search &&
    ((rows) => {
      search.matches.expect(rows.length)
      return filterInPlace(rows, search.matches)
    })
  )
}
