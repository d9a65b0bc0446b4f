import type { LeadFilter } from '@/lib/contract/list-query'
import { endOfStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'
import { toTopicBits } from '@/lib/topics/topic-list'
import { findFirstIndex } from './binary-search'
import { isHiddenRow, type LeadTable, NO_YEAR } from './lead-table'
import { getTableSearch } from './table-search'
import type { TriageById, TriageEntry } from './triage-entry'
import { createBeforeWorkTest, isFollowUp, isSnoozed, needsAnswer, type WorkRules } from './work-rules'

export type SelectionContext = {
  schools: 'all' | ReadonlySet<string>
  viewerId: string
  lastVisitAt: number | null
  triage: TriageById
  work: WorkRules
  topics: { getTopicBits: (table: LeadTable) => Uint32Array }
}

/** Selects the matching rows in the table's order. Cheap conditions come first, and the search last. */
export function selectRows(table: LeadTable, filter: LeadFilter, context: SelectionContext): Uint32Array {
  const { createdAt, seenAt } = table
  const { schools: scope, lastVisitAt, work, topics } = context
  const { waiting, late } = filter
  let rows = findCandidates(table, filter)
  // Each condition has a loop of its own, because one loop that calls all conditions for each row costs more.
  const keep = (passes: RowTest) => {
    let size = 0
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0
      if (passes(row)) rows[size++] = row
    }
    rows = rows.subarray(0, size)
  }

  // On a first visit every lead is new.
  if (filter.fresh === true && lastVisitAt !== null) keep((row) => (seenAt[row] ?? 0) > lastVisitAt)
  if (scope !== 'all') keep(createValueTest(table.schoolIndex, table.schoolIds, scope))
  if (filter.school) keep(createValueTest(table.schoolIndex, table.schoolIds, new Set(filter.school)))
  if (filter.mode) keep(createValueTest(table.modeIndex, table.modes, new Set(filter.mode)))
  if (filter.year) {
    const years = new Set(filter.year)
    keep((row) => years.has(table.year[row] ?? NO_YEAR))
  }
  const isBeforeWork = createBeforeWorkTest(table, work)
  const hasEarlierLeads = work.workSince !== -Infinity || work.openYear !== -Infinity
  if (filter.earlier === true) keep(isBeforeWork)
  if ((filter.earlier === false || waiting === true || late === true) && hasEarlierLeads)
    keep((row) => !isBeforeWork(row))
  if (late === true) keep((row) => (createdAt[row] ?? 0) < work.lateBefore)
  const triageTest = createTriageTest(table, filter, context, rows.length)
  if (triageTest !== null) keep(triageTest)
  if (waiting === false || late === false) {
    const isWaiting = createIsWaiting(table, context)
    const arrivedBefore = waiting === false ? Infinity : work.lateBefore
    keep((row) => !(isWaiting(row) && (createdAt[row] ?? 0) < arrivedBefore))
  }
  if (filter.topic !== undefined) {
    const mask = toTopicBits(filter.topic)
    const bits = topics.getTopicBits(table)
    keep((row) => ((bits[row] ?? 0) & mask) !== 0 && !isHiddenRow(table, row))
  }
  const search = getTableSearch(table, filter.q)
  if (search !== null) {
    search.inside.prepareFor(rows.length)
    keep(search.inside.test)
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

type RowTest = (row: number) => boolean

function createValueTest(column: Uint32Array, values: readonly string[], wanted: ReadonlySet<string>): RowTest {
  const isWanted = values.map((value) => wanted.has(value))
  return (row) => isWanted[column[row] ?? 0] === true
}

/** If fewer than this share of the rows remain, looking each up is faster than going through the triage. */
const LOOKUP_SHARE = 1 / 8

/** Creates the test of a row's triage entry that is fastest for `rowCount` rows, or returns null without conditions. */
function createTriageTest(table: LeadTable, filter: LeadFilter, context: SelectionContext, rowCount: number) {
  const { triage } = context
  const conditions = createTriageConditions(filter, context)
  if (conditions.length === 0) return null
  const passes: TriageCondition = (entry) => conditions.every((condition) => condition(entry))
  if (rowCount <= Math.max(triage.size, table.size * LOOKUP_SHARE))
    return (row: number) => passes(triage.get(table.id[row] ?? ''))
  const untouchedPasses = passes(undefined)
  const hasOtherResult = new Uint8Array(table.size)
  for (const [id, entry] of triage) {
    const row = passes(entry) === untouchedPasses ? -1 : table.findRow(id)
    if (row !== -1) hasOtherResult[row] = 1
  }
  return (row: number) => (hasOtherResult[row] === 1) !== untouchedPasses
}

type TriageCondition = (entry: TriageEntry | undefined) => boolean

function createTriageConditions(filter: LeadFilter, { work, viewerId }: SelectionContext): TriageCondition[] {
  const { status, answered, snoozed, followUp } = filter
  const conditions: TriageCondition[] = []
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
  const isBeforeWork = createBeforeWorkTest(table, work)
  return (row: number): boolean => !isBeforeWork(row) && needsAnswer(triage.get(table.id[row] ?? ''), work)
}
