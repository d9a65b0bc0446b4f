import type { Deadlines } from '@/lib/contract/list-query'
import { addDays } from '@/lib/time/stockholm'
import { findFirstIndex } from './binary-search'
import type { LeadTable } from './lead-table'
import type { WorkRules } from './work-rules'

/** A part has a queue's leads of one list, newest first. A queue has a part for each list that it shows. */
export type QueuePart = {
  table: LeadTable
  rows: Uint32Array
  isWaiting: (row: number) => boolean
  toDueDay: WorkRules['toDueDay']
}

type QueueRow = { partIndex: number; row: number }

/** Sorts by deadline, arrival and id, and returns the first `limit` rows. Leads without a deadline come last. */
export function sortByDeadline(parts: readonly QueuePart[], limit = Infinity): QueueRow[] {
  const dueRuns: Run[] = []
  const otherRuns: Run[] = []
  for (const [partIndex, { table, rows, isWaiting, toDueDay }] of parts.entries()) {
    const hasGoal = toDueDay(0) !== null
    const dueRows: number[] = []
    const otherRows: number[] = []
    for (const row of sortOldestFirst(table, rows)) (hasGoal && isWaiting(row) ? dueRows : otherRows).push(row)
    dueRuns.push({ partIndex, table, rows: dueRows, toDueDay })
    otherRuns.push({ partIndex, table, rows: otherRows, toDueDay: () => null })
  }
  const sorted = mergeRuns(dueRuns, limit)
  return sorted.concat(mergeRuns(otherRuns, limit - sorted.length))
}

/** Counts the rows by deadline; leads without one are `later`. */
export function countByDeadline(parts: readonly QueuePart[], today: string): Deadlines {
  const counts = { late: 0, today: 0, tomorrow: 0, later: 0 }
  const tomorrow = addDays(today, 1)
  for (const { table, rows, isWaiting, toDueDay } of parts) {
    if (toDueDay(0) === null) {
      counts.later += rows.length
      continue
    }
    // Rows are newest first, and the later a lead came, the later is its deadline.
    const findFirst = (isPast: (dueDay: string) => boolean) =>
      findFirstIndex(rows.length, (index) => isPast(toDueDay(table.createdAt[rows[index] ?? 0] ?? 0) ?? ''))
    const ends = {
      later: findFirst((dueDay) => dueDay <= tomorrow),
      tomorrow: findFirst((dueDay) => dueDay < tomorrow),
      today: findFirst((dueDay) => dueDay < today),
      late: rows.length,
    }
    let index = 0
    for (const deadline of ['later', 'tomorrow', 'today', 'late'] as const) {
      for (; index < ends[deadline]; index++) counts[isWaiting(rows[index] ?? 0) ? deadline : 'later'] += 1
    }
  }
  return counts
}

/** Sorts rows oldest first. Rows of equal moments stay in the table's order. */
function sortOldestFirst({ createdAt }: LeadTable, rows: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(rows.length)
  let filled = 0
  for (let end = rows.length; end > 0;) {
    let start = end - 1
    while (start > 0 && createdAt[rows[start - 1] ?? 0] === createdAt[rows[end - 1] ?? 0]) start--
    sorted.set(rows.subarray(start, end), filled)
    filled += end - start
    end = start
  }
  return sorted
}

type Run = { partIndex: number; table: LeadTable; rows: readonly number[]; toDueDay: WorkRules['toDueDay'] }
type QueueEntry = QueueRow & { dueDay: string; createdAt: number; id: string }

/** Merges one or two runs, each of which is sorted. */
function mergeRuns([a, b]: readonly Run[], limit: number): QueueRow[] {
  const merged: QueueRow[] = []
  let indexA = 0
  let indexB = 0
  while (merged.length < limit) {
    const entryA = readEntry(a, indexA)
    const entryB = readEntry(b, indexB)
    const next = entryB === null || (entryA !== null && isBefore(entryA, entryB)) ? entryA : entryB
    if (next === null) break
    merged.push({ partIndex: next.partIndex, row: next.row })
    if (next === entryA) indexA++
    else indexB++
  }
  return merged
}

function readEntry(run: Run | undefined, index: number): QueueEntry | null {
  const row = run?.rows[index]
  if (run === undefined || row === undefined) return null
  const { partIndex, table, toDueDay } = run
  const createdAt = table.createdAt[row] ?? 0
  return { partIndex, row, dueDay: toDueDay(createdAt) ?? '', createdAt, id: table.id[row] ?? '' }
}

function isBefore(a: QueueEntry, b: QueueEntry): boolean {
  if (a.dueDay !== b.dueDay) return a.dueDay < b.dueDay
  return a.createdAt === b.createdAt ? a.id <= b.id : a.createdAt < b.createdAt
}
