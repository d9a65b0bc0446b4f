import type { DayNumbers, DueDays } from '@/lib/contract/day'
import { addDays, stockholmDay, stockholmDayEnd, stockholmDayStart } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import type { TriageColumns, TriageEntry } from './triage-columns'
import { asksForAnswer, earlierRows, isFollowUp, isOpen, isSnoozed, type WorkRules } from './work-rules'

const OPEN = 1
const NEW = 2
const ASKS = 4
const SNOOZED = 8
const FOLLOW_UP = 16

/** What the rules of the work say of one decision, as bits: counting is then a loop over numbers, whoever asks. */
export function workFlags(entry: TriageEntry | undefined, work: WorkRules): number {
  return (
    (isOpen(entry) ? OPEN : 0) |
    ((entry?.status ?? 'new') === 'new' ? NEW : 0) |
    (asksForAnswer(entry, work) ? ASKS : 0) |
    (isSnoozed(entry, work) ? SNOOZED : 0) |
    (isFollowUp(entry, work) ? FOLLOW_UP : 0)
  )
}

export type WorkCounts = Omit<DayNumbers, 'mine' | 'new'> & {
  leads: number
  /** Whatever the last visit was: not begun with, and neither put aside nor earlier than the work. */
  untouched: number
  /** Those that wait, by the index of `schoolIds`. */
  waitingAt: Uint32Array
  /** Open, neither put aside nor earlier: by whose they are. */
  openOf: ReadonlyMap<string, number>
  /** Of those who wait too long the one who waits longest, else -1. */
  oldestRow: number
}

/** Everything there is to do among these rows, in one pass. They stand in the table's order: newest first. */
export function countWork(
  table: LeadTable,
  rows: Uint32Array,
  { flags, assignee, assignees }: TriageColumns,
  work: WorkRules,
  due: DueDays | null = null,
): WorkCounts {
  const { createdAt, school } = table
  const isEarlier = earlierRows(table, work)
  const dueUntil = due === null ? -Infinity : stockholmDayEnd(due.to)
  const open = new Uint32Array(assignees.length)
  const waitingAt = new Uint32Array(table.schoolIds.length)
  const counts = { late: 0, dueToday: 0, waiting: 0, followUps: 0, snoozed: 0, unassigned: 0, untouched: 0 }
  let oldestRow = -1
  for (const row of rows) {
    const flag = flags[row] ?? 0
    if (flag & FOLLOW_UP) counts.followUps++
    if (flag & SNOOZED) counts.snoozed++
    if ((flag & OPEN) === 0 || isEarlier(row)) continue
    const whose = assignee[row] ?? 0
    if ((flag & SNOOZED) === 0) {
      if (flag & NEW) counts.untouched++
      open[whose] = (open[whose] ?? 0) + 1
    }
    if ((flag & ASKS) === 0) continue
    counts.waiting++
    const at = school[row] ?? 0
    waitingAt[at] = (waitingAt[at] ?? 0) + 1
    if (whose === 0) counts.unassigned++
    const since = createdAt[row] ?? 0
    if (since < work.lateBefore) {
      counts.late++
      oldestRow = row
    } else if (since <= dueUntil) counts.dueToday++
  }
  const openOf = new Map(assignees.map((id, index) => [id, open[index] ?? 0]))
  return { ...counts, leads: rows.length, waitingAt, openOf, oldestRow }
}

/** Whether somebody has to answer the lead of a row, where the columns of the decisions are there. */
export function waitingIn(table: LeadTable, { flags }: Pick<TriageColumns, 'flags'>, work: WorkRules) {
  const isEarlier = earlierRows(table, work)
  return (row: number): boolean => ((flags[row] ?? 0) & ASKS) !== 0 && !isEarlier(row)
}

/** The days on which leads came whose last day within the goal is today; null when it is nobody's, as on a Sunday. */
export function dueDays(work: WorkRules, today: string): DueDays | null {
  if (work.lateBefore === -Infinity || work.dueOf(work.lateBefore) !== today) return null
  const from = stockholmDay(work.lateBefore)
  let to = from
  while (to < today && work.dueOf(stockholmDayStart(addDays(to, 1))) === today) to = addDays(to, 1)
  return { from, to }
}
