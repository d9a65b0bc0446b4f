import type { DayNumbers, DueDays } from '@/lib/contract/day'
import { addDays, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'
import { type LeadTable, NO_YEAR } from './lead-table'
import type { TriageColumns, TriageOf } from './triage-columns'
import { asksForAnswer, isEarlier, isFollowUp, isOpen, isSnoozed, type WorkRules } from './work-rules'

const OPEN = 1
const NEW = 2
const ASKS = 4
const SNOOZED = 8
const FOLLOW_UP = 16
/** A lead that nobody has touched. */
const UNTOUCHED = OPEN | NEW | ASKS

/** A first answer, with the row it was given to. */
export type FirstAnswer = { row: number; minutes: number; isWithinGoal: boolean | null }

/** What the staff decided and did, as a number for every row, and who was answered since a moment. */
export type WorkColumns = { flags: Uint8Array; answers: readonly FirstAnswer[] }

/** Looks at each decision once, whoever asks: what is counted for one reach is then one loop over numbers. */
export function workColumns(table: LeadTable, triage: TriageOf, work: WorkRules, answeredSince: number): WorkColumns {
  const flags = new Uint8Array(table.size).fill(UNTOUCHED)
  const answers: FirstAnswer[] = []
  for (const [id, entry] of triage) {
    const row = table.rowOf(id)
    if (row === -1) continue
    flags[row] =
      (isOpen(entry) ? OPEN : 0) |
      (entry.status === 'new' ? NEW : 0) |
      (asksForAnswer(entry, work) ? ASKS : 0) |
      (isSnoozed(entry, work) ? SNOOZED : 0) |
      (isFollowUp(entry, work) ? FOLLOW_UP : 0)
    const { answeredAt = null } = entry
    if (answeredAt === null || answeredAt < answeredSince) continue
    const createdAt = table.createdAt[row] ?? 0
    const due = isEarlier(work, createdAt, table.year[row] ?? NO_YEAR) ? null : work.dueOf(createdAt)
    answers.push({
      row,
      minutes: Math.max(0, (answeredAt - createdAt) / 60_000),
      isWithinGoal: due === null ? null : stockholmDay(answeredAt) <= due,
    })
  }
  return { flags, answers }
}

export type WorkCounts = Omit<DayNumbers, 'mine' | 'new'> & {
  leads: number
  /** Whatever the last visit was: not begun with, and neither put aside nor earlier than the work. */
  untouched: number
  /** Open, neither put aside nor earlier: by the index of whose they are. */
  openOf: Uint32Array
  /** Of those who wait too long the one who waits longest, else -1. */
  oldestRow: number
  /** Those of the rows that were counted. */
  answers: readonly FirstAnswer[]
}

type Columns = WorkColumns & Pick<TriageColumns, 'assignee' | 'assignees'>

/** All numbers of the day for these rows, in one pass. They stand in the table's order: newest first. */
export function countWork(
  table: LeadTable,
  rows: Uint32Array,
  { flags, answers, assignee, assignees }: Columns,
  work: WorkRules,
  today: string,
): WorkCounts {
  const { createdAt, year } = table
  const dueUntil = endOf(dueDays(work, today))
  const openOf = new Uint32Array(assignees.length)
  const counts = { late: 0, dueToday: 0, waiting: 0, followUps: 0, snoozed: 0, unassigned: 0, untouched: 0 }
  let oldestRow = -1
  for (const row of rows) {
    const flag = flags[row] ?? 0
    if (flag & FOLLOW_UP) counts.followUps++
    if (flag & SNOOZED) counts.snoozed++
    if ((flag & OPEN) === 0 && (flag & ASKS) === 0) continue
    const at = createdAt[row] ?? 0
    if (isEarlier(work, at, year[row] ?? NO_YEAR)) continue
    const whose = assignee[row] ?? 0
    if ((flag & SNOOZED) === 0) {
      if (flag & NEW) counts.untouched++
      openOf[whose] = (openOf[whose] ?? 0) + 1
    }
    if ((flag & ASKS) === 0) continue
    counts.waiting++
    if (whose === 0) counts.unassigned++
    if (at < work.lateBefore) {
      counts.late++
      oldestRow = row
    } else if (at < dueUntil) counts.dueToday++
  }
  return { ...counts, leads: rows.length, openOf, oldestRow, answers: answersAmong(answers, rows, table.size) }
}

function answersAmong(answers: readonly FirstAnswer[], rows: Uint32Array, size: number): readonly FirstAnswer[] {
  if (answers.length === 0 || rows.length === size) return answers
  const counted = new Set(rows)
  return answers.filter(({ row }) => counted.has(row))
}

function endOf(due: DueDays | null): number {
  return due === null ? -Infinity : stockholmDayStart(addDays(due.to, 1))
}

/** The days on which leads came whose last day within the goal is today; null when it is nobody's, as on a Sunday. */
export function dueDays(work: WorkRules, today: string): DueDays | null {
  if (work.lateBefore === -Infinity || work.dueOf(work.lateBefore) !== today) return null
  const from = stockholmDay(work.lateBefore)
  let to = from
  while (work.dueOf(stockholmDayStart(addDays(to, 1))) === today) to = addDays(to, 1)
  return { from, to }
}
