import type { LeadFilter } from '@/lib/contract/list-query'
import { endOfStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'
import { toTopicBits } from '@/lib/topics/topic-list'
import { isHiddenRow, type LeadTable, NO_YEAR } from './lead-table'
import { getTableSearch } from './table-search'
import type { TriageById, TriageEntry } from './triage-entry'
import { createIsEarlier, isFollowUp, isSnoozed, needsAnswer, type WorkRules } from './work-rules'

export type SelectionContext = {
  schools: 'all' | ReadonlySet<string>
  viewerId: string
  lastVisitAt: number | null
  triage: TriageById
  work: WorkRules
  topics: { getTopicBits: (table: LeadTable) => Uint32Array }
}

/** If fewer than this share of the rows remain, looking each up is faster than going through the triage. */
const LOOKUP_SHARE = 1 / 8

/** Selects the matching rows in the table's order. */
export function selectRows(table: LeadTable, filter: LeadFilter, context: SelectionContext): Uint32Array {
  const { createdAt, seenAt } = table
  const { schools: scope, lastVisitAt, triage, work, topics } = context
  let rows = findCandidates(table, filter)
  // Each condition has a loop of its own, because one loop that calls all conditions for each row costs more.
  const filterRows = (passes: (row: number) => boolean) => {
    let size = 0
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0
      if (passes(row)) rows[size++] = row
    }
    rows = rows.subarray(0, size)
  }
  const filterByValue = (column: Uint32Array, values: readonly string[], wanted: ReadonlySet<string>) => {
    const isWanted = values.map((value) => wanted.has(value))
    filterRows((row) => isWanted[column[row] ?? 0] === true)
  }
  // Earlier leads are from before the first day of work, or of a cohort whose admission is over.
  const filterByEarlier = ({ isWanted }: { isWanted: boolean }) => {
    if (!isWanted && work.workSince === -Infinity && work.openYear === -Infinity) return
    const isEarlier = createIsEarlier(table, work)
    filterRows((row) => isEarlier(row) === isWanted)
  }
  // The cheaper loop runs: over the rows if they are few or fewer than the triage entries, otherwise over those.
  const filterByTriage = () => {
    const conditions = createTriageConditions(filter, context)
    if (conditions.length === 0) return
    const passes: Condition = (entry) => conditions.every((condition) => condition(entry))
    if (rows.length <= Math.max(triage.size, table.size * LOOKUP_SHARE))
      return filterRows((row) => passes(triage.get(table.id[row] ?? '')))
    const untouchedPasses = passes(undefined)
    const hasOtherResult = new Uint8Array(table.size)
    for (const [id, entry] of triage) {
      const row = passes(entry) === untouchedPasses ? -1 : table.findRow(id)
      if (row !== -1) hasOtherResult[row] = 1
    }
    filterRows((row) => (hasOtherResult[row] === 1) !== untouchedPasses)
  }

  // On a first visit every lead is new.
  if (filter.fresh === true && lastVisitAt !== null) filterRows((row) => (seenAt[row] ?? 0) > lastVisitAt)
  if (scope !== 'all') filterByValue(table.schoolIndex, table.schoolIds, scope)
  if (filter.school) filterByValue(table.schoolIndex, table.schoolIds, new Set(filter.school))
  if (filter.mode) filterByValue(table.modeIndex, table.modes, new Set(filter.mode))
  if (filter.year) {
    const years = new Set(filter.year)
    filterRows((row) => years.has(table.year[row] ?? NO_YEAR))
  }
  if (filter.earlier !== undefined) filterByEarlier({ isWanted: filter.earlier })
  if (filter.waiting === true || filter.late === true) filterByEarlier({ isWanted: false })
  if (filter.late === true) filterRows((row) => (createdAt[row] ?? 0) < work.lateBefore)
  filterByTriage()
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
  if (search !== null) {
    search.inside.prepareFor(rows.length)
    filterRows(search.inside.test)
  }
  // A copy frees the memory of the rows that were left out.
  return rows.byteLength < rows.buffer.byteLength ? rows.slice() : rows
}

/** Selects the leads in scope whose persons are not hidden, in the table's order. */
export function selectVisibleRows(table: LeadTable, scope: SelectionContext['schools']): Uint32Array {
  const isInScope = table.schoolIds.map((id) => scope === 'all' || scope.has(id))
  return findCandidates(table, {}).filter(
    (row) => isInScope[table.schoolIndex[row] ?? -1] === true && !isHiddenRow(table, row),
  )
}

/** Finds the rows of the filter's ids and period. A table is newest first, so a period is one stretch of it. */
function findCandidates(table: LeadTable, { id: ids, from, to }: LeadFilter): Uint32Array<ArrayBuffer> {
  const findFirstBefore = (moment: number) => findFirstIndex(table.size, (row) => (table.createdAt[row] ?? 0) < moment)
  const start = to === undefined ? 0 : findFirstBefore(endOfStockholmDay(to) + 1)
  const end = from === undefined ? table.size : Math.max(start, findFirstBefore(startOfStockholmDay(from)))
  if (ids !== undefined) {
    const idRows = new Set(ids.map((id) => table.findRow(id)))
    return Uint32Array.from([...idRows].filter((row) => start <= row && row < end)).sort()
  }
  const rows = new Uint32Array(end - start)
  for (let index = 0; index < rows.length; index++) rows[index] = start + index
  return rows
}

/** Finds by binary search the first of `length` indexes at which `isPast` is true; from there on it stays true. */
export function findFirstIndex(length: number, isPast: (index: number) => boolean): number {
  let first = 0
  let end = length
  while (first < end) {
    const middle = (first + end) >>> 1
    if (isPast(middle)) end = middle
    else first = middle + 1
  }
  return first
}

type Condition = (entry: TriageEntry | undefined) => boolean

/** Conditions on the triage are checked together, because looking it up costs the most. */
function createTriageConditions(filter: LeadFilter, { work, viewerId }: SelectionContext): Condition[] {
  const { status, answered, snoozed, followUp } = filter
  const conditions: Condition[] = []
  if (status) conditions.push((entry) => status.includes(entry?.status ?? 'new'))
  if (filter.assignee) {
    const assignees = new Set(filter.assignee.map((assignee) => (assignee === 'me' ? viewerId : assignee)))
    conditions.push((entry) => assignees.has(entry?.assigneeId ?? 'none'))
  }
  if (answered !== undefined) conditions.push((entry) => (entry?.answeredAt != null) === answered)
  if (snoozed !== undefined) conditions.push((entry) => isSnoozed(entry, work) === snoozed)
  if (followUp !== undefined) conditions.push((entry) => isFollowUp(entry, work) === followUp)
  if (filter.waiting === true || filter.late === true) conditions.push((entry) => needsAnswer(entry, work))
  return conditions
}

/** Creates the test for rows whose leads need an answer now. */
export function createIsWaiting(table: LeadTable, { triage, work }: Pick<SelectionContext, 'triage' | 'work'>) {
  const isEarlier = createIsEarlier(table, work)
  return (row: number): boolean => !isEarlier(row) && needsAnswer(triage.get(table.id[row] ?? ''), work)
}
