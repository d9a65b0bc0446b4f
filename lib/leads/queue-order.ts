import type { LeadTable } from './lead-table'
import type { WorkRules } from './work-rules'

/** What one list gives a queue. `rows` are in the table's order, newest first. */
export type QueuePart = {
  table: LeadTable
  rows: Uint32Array
  isWaiting: (row: number) => boolean
  dueOf: WorkRules['dueOf']
}

export type QueueRow = { part: number; row: number }

/** The first `limit` rows by deadline, then by arrival, then by id. What has no deadline comes last. */
export function byDeadline(parts: readonly QueuePart[], limit = Infinity): QueueRow[] {
  const runs = parts.map(({ table, rows, isWaiting, dueOf }, part) => {
    const [due, others]: [number[], number[]] = [[], []]
    const hasGoal = dueOf(0) !== null
    for (const row of oldestFirst(table, rows)) (hasGoal && isWaiting(row) ? due : others).push(row)
    return { due: { part, table, rows: due, dueOf }, others: { part, table, rows: others, dueOf: () => null } }
  })
  const due = merged(
    runs.map((run) => run.due),
    limit,
  )
  const rest = merged(
    runs.map((run) => run.others),
    limit - due.length,
  )
  return due.concat(rest)
}

/** Equal moments stay in the table's order, which is by id. */
function oldestFirst({ createdAt }: LeadTable, rows: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(rows.length)
  let at = 0
  for (let end = rows.length; end > 0;) {
    let start = end - 1
    while (start > 0 && createdAt[rows[start - 1] ?? 0] === createdAt[rows[end - 1] ?? 0]) start--
    sorted.set(rows.subarray(start, end), at)
    at += end - start
    end = start
  }
  return sorted
}

type Run = { part: number; table: LeadTable; rows: readonly number[]; dueOf: WorkRules['dueOf'] }
type Head = QueueRow & { due: string; createdAt: number; id: string }

/** Each run is in the order already: the later a lead came, the later is its deadline. */
function merged(runs: readonly Run[], limit: number): QueueRow[] {
  const [first, second] = runs.map(headsOf)
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

function* headsOf({ part, table, rows, dueOf }: Run): Generator<Head, null> {
  for (const row of rows) {
    const createdAt = table.createdAt[row] ?? 0
    yield { part, row, due: dueOf(createdAt) ?? '', createdAt, id: table.id[row] ?? '' }
  }
  return null
}

function isBefore(a: Head, b: Head): boolean {
  if (a.due !== b.due) return a.due < b.due
  return a.createdAt === b.createdAt ? a.id <= b.id : a.createdAt < b.createdAt
}
