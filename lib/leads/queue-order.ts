import type { Deadlines } from '@/lib/contract/list-query'
import { addDays } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import type { WorkRules } from './work-rules'

/** A part is one list's leads of a queue; `rows` are newest first, as in the table. */
export type QueuePart = {
  table: LeadTable
  rows: Uint32Array
  isWaiting: (row: number) => boolean
  toDueDay: WorkRules['toDueDay']
}

export type QueueRow = { part: number; row: number }

/** Sorts by deadline, then by arrival, then by id, and returns the first `limit` rows. Leads without a deadline come last. */
export function sortByDeadline(parts: readonly QueuePart[], limit = Infinity): QueueRow[] {
  const waiting: Run[] = []
  const others: Run[] = []
  for (const [part, { table, rows, isWaiting, toDueDay }] of parts.entries()) {
    const hasGoal = toDueDay(0) !== null
    const [due, rest]: [number[], number[]] = [[], []]
    for (const row of sortOldestFirst(table, rows)) (hasGoal && isWaiting(row) ? due : rest).push(row)
    waiting.push({ part, table, rows: due, toDueDay })
    others.push({ part, table, rows: rest, toDueDay: () => null })
  }
  const first = mergeRuns(waiting, limit)
  return first.concat(mergeRuns(others, limit - first.length))
}

/** Counts the rows by deadline; leads without one are `later`. */
export function countByDeadline(parts: readonly QueuePart[], today: string): Deadlines {
  const counts = { late: 0, today: 0, tomorrow: 0, later: 0 }
  const tomorrow = addDays(today, 1)
  for (const { table, rows, isWaiting, toDueDay } of parts) {
    const findDueDay = (index: number) => toDueDay(table.createdAt[rows[index] ?? 0] ?? 0)
    if (toDueDay(0) === null) {
      counts.later += rows.length
      continue
    }
    // Rows are newest first, and the later a lead came, the later is its deadline.
    const ends = {
      later: findFirstIndex(rows.length, (index) => (findDueDay(index) ?? '') <= tomorrow),
      tomorrow: findFirstIndex(rows.length, (index) => (findDueDay(index) ?? '') < tomorrow),
      today: findFirstIndex(rows.length, (index) => (findDueDay(index) ?? '') < today),
      late: rows.length,
    }
    let index = 0
    for (const deadline of ['later', 'tomorrow', 'today', 'late'] as const) {
      for (; index < ends[deadline]; index++) counts[isWaiting(rows[index] ?? 0) ? deadline : 'later'] += 1
    }
  }
  return counts
}

/** Finds by binary search the first of `length` indexes from which `isPast` holds on. */
function findFirstIndex(length: number, isPast: (index: number) => boolean): number {
  let [first, end] = [0, length]
  while (first < end) {
    const middle = (first + end) >> 1
    if (isPast(middle)) end = middle
    else first = middle + 1
  }
  return first
}

/** Sorts rows oldest first. Rows of equal moments stay in the table’s order, which is by id. */
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

/** Merges two runs, each of which is in order already: the later a lead came, the later is its deadline. */
function mergeRuns(runs: readonly Run[], limit: number): QueueRow[] {
  const [first, second] = runs.map(iterateEntries)
  const taken: QueueRow[] = []
  let [a, b] = [first?.next().value ?? null, second?.next().value ?? null]
  while (taken.length < limit) {
    const isFirst = b === null || (a !== null && isBefore(a, b))
    const next = isFirst ? a : b
    if (next === null) break
    taken.push({ part: next.part, row: next.row })
    if (isFirst) a = first?.next().value ?? null
    else b = second?.next().value ?? null
  }
  return taken
}

function* iterateEntries({ part, table, rows, toDueDay }: Run): Generator<QueueEntry, null> {
  for (const row of rows) {
    const createdAt = table.createdAt[row] ?? 0
    yield { part, row, due: toDueDay(createdAt) ?? '', createdAt, id: table.id[row] ?? '' }
  }
  return null
}

function isBefore(a: QueueEntry, b: QueueEntry): boolean {
  if (a.due !== b.due) return a.due < b.due
  return a.createdAt === b.createdAt ? a.id <= b.id : a.createdAt < b.createdAt
}
