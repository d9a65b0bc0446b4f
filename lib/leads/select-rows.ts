import type { LeadFilter } from '@/lib/contract/list-query'
import { stockholmDayEnd, stockholmDayStart } from '@/lib/time/stockholm'
import { toTopicBits } from '@/lib/topics/topic-list'
import { createScratchBuffer, isHiddenRow, type LeadTable } from './lead-table'
import { getTableSearch } from './table-search'
import type { TriageById, TriageEntry } from './triage-columns'
import { createIsEarlier, isFollowUp, isSnoozed, needsAnswer, type WorkRules } from './work-rules'

export type SelectionContext = {
  schools: 'all' | ReadonlySet<string>
  viewerId: string
  lastVisitAt: number | null
  triage: TriageById
  work: WorkRules
  topics: TopicRows
}

/** `getTopicBits` has the topics of each row's question. */
export type TopicRows = { getTopicBits: (table: LeadTable) => Uint32Array }

export const noTopics: TopicRows = { getTopicBits: () => new Uint32Array(0) }

/** Selects the matching rows in the table’s order. Callers must not change the array, because others may have it, too. */
export function selectRows(table: LeadTable, filter: LeadFilter, context: SelectionContext): Uint32Array {
  const { createdAt, seenAt } = table
  const { schools: scope, lastVisitAt, triage, work, topics } = context
  const [from, until] = findPeriodRows(table, filter)
  const wanted = filter.school && new Set(filter.school)
  const isChosen = (id: string) => (scope === 'all' || scope.has(id)) && (wanted?.has(id) ?? true)
  const schools = scope === 'all' && !wanted ? null : findIndexes(table.schoolIds, isChosen)
  const candidates = findCandidates(table, filter.id, schools)
  if (everyRow.length < table.size) everyRow = new Uint32Array(table.size).map((_, row) => row)
  const all =
    candidates === null ? everyRow.subarray(from, until) : candidates.filter((row) => from <= row && row < until)
  let rows = all
  // One loop for each condition, because a call for each row costs more than the loop.
  const filterRows = (passes: (row: number) => boolean) => {
    const output = rows === all ? borrowRows(all.length) : rows
    let size = 0
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0
      if (passes(row)) output[size++] = row
    }
    rows = output.subarray(0, size)
  }
  const filterByColumn = (values: ReadonlySet<number>, column: Int32Array | Uint32Array) =>
    filterRows((row) => values.has(column[row] ?? -1))
  const filterEarlier = (isKept: boolean) => {
    if (!isKept && work.workSince === -Infinity && work.openYear === -Infinity) return
    const isEarlier = createIsEarlier(table, work)
    filterRows((row) => isEarlier(row) === isKept)
  }

  // On a first visit every lead is new.
  if (filter.fresh === true && lastVisitAt !== null) filterRows((row) => (seenAt[row] ?? 0) > lastVisitAt)
  if (schools !== null) filterByColumn(schools, table.school)
  if (filter.year) filterByColumn(new Set(filter.year), table.year)
  const modes = filter.mode && new Set<string>(filter.mode)
  const modeIndexes = modes && findIndexes(table.modes, (mode) => modes.has(mode))
  if (modeIndexes) filterByColumn(modeIndexes, table.mode)
  if (filter.earlier !== undefined) filterEarlier(filter.earlier)
  if (filter.waiting === true || filter.late === true) filterEarlier(false)
  if (filter.late === true) filterRows((row) => (createdAt[row] ?? 0) < work.lateBefore)
  const decisions = createTriageConditions(filter, context)
  if (decisions.length > 0) {
    const passes: Condition = (entry) => decisions.every((condition) => condition(entry))
    // Whichever are fewer are looked up: the remaining rows, or the leads with triage.
    if (rows.length <= Math.max(triage.size, table.size * LOOKUP_SHARE))
      filterRows((row) => passes(triage.get(table.id[row] ?? '')))
    else {
      const untouchedPass = passes(undefined)
      const hasOtherResult = new Uint8Array(table.size)
      for (const [id, entry] of triage) {
        const row = passes(entry) === untouchedPass ? -1 : table.findRow(id)
        if (row !== -1) hasOtherResult[row] = 1
      }
      filterRows((row) => (hasOtherResult[row] === 1) !== untouchedPass)
    }
  }
  if (filter.waiting === false || filter.late === false) {
    const isWaiting = createIsWaiting(table, context)
    const arrivedBefore = filter.waiting === false ? Infinity : work.lateBefore
    filterRows((row) => !(isWaiting(row) && (createdAt[row] ?? 0) < arrivedBefore))
  }
  if (filter.topic !== undefined) {
    const mask = toTopicBits(filter.topic)
    const bits = topics.getTopicBits(table)
    filterRows((row) => ((bits[row] ?? 0) & mask) !== 0 && !isHiddenRow(table, row))
  }
  const search = getTableSearch(table, filter.q)
  search?.matches.prepareFor(rows.length)
  if (search !== null) filterRows(search.matches)
  return rows === all ? all : rows.slice()
}

const borrowRows = createScratchBuffer((size) => new Uint32Array(size))

type Rows = Uint32Array<ArrayBuffer>

let everyRow: Rows = new Uint32Array(0)

/** If fewer than this share of the rows may match, looking them up is faster than going through all. */
const LOOKUP_SHARE = 1 / 8

/** Finds the only rows that can match, so that one school's cost does not grow with the others, or null if all must be looked at. */
function findCandidates(table: LeadTable, ids: string[] | undefined, schools: ReadonlySet<number> | null): Rows | null {
  if (ids !== undefined)
    return Uint32Array.from(new Set(ids.map((id) => table.findRow(id)).filter((row) => row !== -1))).sort()
  if (schools === null) return null
  const { starts, rows: grouped } = rowsBySchool.get(table) ?? groupBySchool(table)
  const groups = [...schools].map((school) => grouped.subarray(starts[school], starts[school + 1]))
  const size = groups.reduce((sum, group) => sum + group.length, 0)
  if (size > table.size * LOOKUP_SHARE) return null
  const rows = new Uint32Array(size)
  let filled = 0
  for (const group of groups) {
    rows.set(group, filled)
    filled += group.length
  }
  return groups.length > 1 ? rows.sort() : rows
}

const rowsBySchool = new WeakMap<LeadTable, { starts: Uint32Array; rows: Rows }>()

/** The rows of school `i` are those from `starts[i]` to `starts[i + 1]`. */
function groupBySchool(table: LeadTable) {
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
  rowsBySchool.set(table, groups)
  return groups
}

/** A table is newest first, so a period is one stretch of it. */
function findPeriodRows({ createdAt, size }: LeadTable, { from, to }: LeadFilter): [from: number, until: number] {
  const firstRowBefore = (moment: number) => {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((createdAt[middle] ?? 0) < moment) high = middle
      else low = middle + 1
    }
    return low
  }
  const first = to === undefined ? 0 : firstRowBefore(stockholmDayEnd(to) + 1)
  return [first, from === undefined ? size : Math.max(first, firstRowBefore(stockholmDayStart(from)))]
}

function findIndexes(values: readonly string[], passes: (value: string) => boolean): Set<number> {
  return new Set(values.flatMap((value, index) => (passes(value) ? [index] : [])))
}

type Condition = (entry: TriageEntry | undefined) => boolean

/** Creates all conditions on the triage, which are checked together because looking it up costs the most. */
function createTriageConditions(filter: LeadFilter, { work, viewerId }: SelectionContext): Condition[] {
  const statuses = filter.status && new Set<string>(filter.status)
  const people = filter.assignee && new Set(filter.assignee.map((who) => (who === 'me' ? viewerId : who)))
  const toCondition = (wanted: boolean | undefined, holds: Condition): Condition | undefined =>
    wanted === undefined ? undefined : (entry) => holds(entry) === wanted
  const conditions: (Condition | undefined)[] = [
    statuses && ((entry) => statuses.has(entry?.status ?? 'new')),
    people && ((entry) => people.has(entry?.assigneeId ?? 'none')),
    toCondition(filter.answered, (entry) => entry?.answeredAt != null),
    toCondition(filter.snoozed, (entry) => isSnoozed(entry, work)),
    toCondition(filter.followUp, (entry) => isFollowUp(entry, work)),
    filter.waiting === true || filter.late === true ? (entry) => needsAnswer(entry, work) : undefined,
  ]
  return conditions.filter((condition) => condition !== undefined)
}

export function createIsWaiting(table: LeadTable, { triage, work }: Pick<SelectionContext, 'triage' | 'work'>) {
  const isEarlier = createIsEarlier(table, work)
  return (row: number): boolean => !isEarlier(row) && needsAnswer(triage.get(table.id[row] ?? ''), work)
}
