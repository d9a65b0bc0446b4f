import type { Deadlines } from '@/lib/contract/list-query'
import { addDays } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import { findFirstIndex } from './select-rows'
import type { WorkRules } from './work-rules'

/** A part is one list's leads of a queue; `rows` are newest first, as in the table. A queue has one part or two. */
export type QueuePart = {
  table: LeadTable
  rows: Uint32Array
  isWaiting: (row: number) => boolean
  toDueDay: WorkRules['toDueDay']
}

type QueueRow = { part: number; row: number }

/** Sorts by deadline, arrival and id, and returns the first `limit` rows. Leads without a deadline come last. */
export function sortByDeadline(parts: readonly QueuePart[], limit = Infinity): QueueRow[] {
  const due: Run[] = []
  const others: Run[] = []
  for (const [part, { table, rows, isWaiting, toDueDay }] of parts.entries()) {
    const hasGoal = toDueDay(0) !== null
    const dueRows: number[] = []
    const otherRows: number[] = []
    for (const row of sortOldestFirst(table, rows)) (hasGoal && isWaiting(row) ? dueRows : otherRows).push(row)
    due.push({ part, table, rows: dueRows, toDueDay })
    others.push({ part, table, rows: otherRows, toDueDay: () => null })
  }
  const first = mergeRuns(due, limit)
  return first.concat(mergeRuns(others, limit - first.length))
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
    const findFirstDue = (isDue: (day: string) => boolean) =>
      findFirstIndex(rows.length, (index) => isDue(toDueDay(table.createdAt[rows[index] ?? 0] ?? 0) ?? ''))
    const ends = {
      later: findFirstDue((day) => day <= tomorrow),
      tomorrow: findFirstDue((day) => day < tomorrow),
      today: findFirstDue((day) => day < today),
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

type Run = { part: number; table: LeadTable; rows: readonly number[]; toDueDay: WorkRules['toDueDay'] }
type QueueEntry = QueueRow & { due: string; createdAt: number; id: string }

/** Merges at most two runs, each of which is in order already. */
function mergeRuns([a, b]: readonly Run[], limit: number): QueueRow[] {
  const merged: QueueRow[] = []
  let indexA = 0
  let indexB = 0
  while (merged.length < limit) {
    const entryA = readEntry(a, indexA)
    const entryB = readEntry(b, indexB)
    const next = entryB === null || (entryA !== null && isBefore(entryA, entryB)) ? entryA : entryB
    if (next === null) break
    merged.push({ part: next.part, row: next.row })
    if (next === entryA) indexA++
    else indexB++
  }
  return merged
}

function readEntry(run: Run | undefined, index: number): QueueEntry | null {
  const row = run?.rows[index]
  if (run === undefined || row === undefined) return null
  const createdAt = run.table.createdAt[row] ?? 0
  return { part: run.part, row, due: run.toDueDay(createdAt) ?? '', createdAt, id: run.table.id[row] ?? '' }
}

function isBefore(a: QueueEntry, b: QueueEntry): boolean {
  if (a.due !== b.due) return a.due < b.due
  return a.createdAt === b.createdAt ? a.id <= b.id : a.createdAt < b.createdAt
}
