import type { LeadKind } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import type { AnswerGoals } from '@/lib/contract/work-settings'
import { stockholmClock, stockholmDay, addDays, stockholmDayStart } from '@/lib/time/stockholm'
import { dueDay, type IsHoliday, lateBefore } from '@/lib/time/working-days'
import { type LeadTable, NO_YEAR } from './lead-table'
import type { TriageEntry } from './triage-columns'

/** What counts as work on one list, until the day turns or a setting changes. */
export type WorkRules = {
  /** The same text for as long as everything below means the same. */
  readonly key: string
  /** Leads that came before this moment (ms) are earlier than the work. */
  readonly from: number
  /** So are leads of enrollment years before this one: their admission is over. */
  readonly openYear: number
  /** Since this moment (ms) that cohort is the next one. */
  readonly openSince: number
  /** Who waits since before this moment (ms) waits for longer than the goal. */
  readonly lateBefore: number
  /** What was put aside until this day or an earlier one is back. */
  readonly backOn: string
  /** The last day within the goal, of a lead that came at this moment (ms); null without a goal. */
  readonly dueOf: (createdAt: number) => string | null
}

/** Everything is work, and nothing has a goal. */
export const allIsWork: WorkRules = {
  key: '',
  from: -Infinity,
  openYear: -Infinity,
  openSince: -Infinity,
  lateBefore: -Infinity,
  backOn: '9999-12-31',
  dueOf: () => null,
}

/** What was put aside comes back at this hour. */
export const BACK_AT_HOUR = 7
const HOUR_MS = 3_600_000

type RuleSettings = {
  /** The day from which on leads count as work. Null: everything does. */
  from: string | null
  /** The first enrollment year whose admission is not over; null: none is. */
  openYear: number | null
  /** The day since which that is the next one; absent or null: no day is. */
  openFrom?: string | null
  goals: AnswerGoals
  isHoliday: IsHoliday
}

export function workRules(kind: LeadKind, now: number, settings: RuleSettings): WorkRules {
  const { from, openYear, openFrom = null, goals, isHoliday } = settings
  const goal = goals[kind]
  const today = stockholmDay(now)
  const isMorning = stockholmClock(now) % (24 * HOUR_MS) >= BACK_AT_HOUR * HOUR_MS
  const backOn = isMorning ? today : addDays(today, -1)
  const late = goal === null ? -Infinity : lateBefore(today, goal, isHoliday)
  return {
    key: JSON.stringify([from, openYear, openFrom, goal, late, backOn]),
    from: from === null ? -Infinity : stockholmDayStart(from),
    openYear: openYear ?? -Infinity,
    openSince: openFrom === null ? -Infinity : stockholmDayStart(openFrom),
    lateBefore: late,
    backOn,
    dueOf: goal === null ? () => null : rememberedByDay((createdAt) => dueDay(createdAt, goal, isHoliday)),
  }
}

function rememberedByDay(dueOf: (createdAt: number) => string): (createdAt: number) => string {
  const known = new Map<string, string>()
  return (createdAt) => {
    const day = stockholmDay(createdAt)
    const due = known.get(day) ?? dueOf(createdAt)
    known.set(day, due)
    return due
  }
}

/** Whether a lead is from before the work, or of a cohort whose admission is over. */
export function isEarlier(
  { from, openYear }: Pick<WorkRules, 'from' | 'openYear'>,
  createdAt: number,
  year: number,
): boolean {
  return createdAt < from || (year < openYear && year !== NO_YEAR)
}

/**
 * Whether the lead of a row is earlier. A declaration of somebody whose identity is protected counts, for everybody, as of the cohort
 * that was next when it came: the year itself would tell its bit to those who are not shown it, and the moment they see anyway.
 */
export function earlierRows(
  { kind, createdAt, year, protection }: Pick<LeadTable, 'kind' | 'createdAt' | 'year' | 'protection'>,
  work: WorkRules,
): (row: number) => boolean {
  const marks = kind === 'declaration-of-interest' ? protection?.marks : undefined
  return (row) => {
    const at = createdAt[row] ?? 0
    if (marks?.has(row)) return at < work.from || at < work.openSince
    return isEarlier(work, at, year[row] ?? NO_YEAR)
  }
}

export function isOpen(entry: TriageEntry | undefined): boolean {
  return !isClosed(entry?.status)
}

/** Open, and put aside until a day that has not come. */
export function isSnoozed(entry: TriageEntry | undefined, { backOn }: WorkRules): boolean {
  return isOpen(entry) && entry?.snoozeUntil != null && entry.snoozeUntil > backOn
}

/** Was put aside until a day that has come, and nobody has decided since. */
export function isFollowUp(entry: TriageEntry | undefined, { backOn }: WorkRules): boolean {
  return isOpen(entry) && entry?.snoozeUntil != null && entry.snoozeUntil <= backOn
}

/** Whether somebody has to answer, as far as the staff's decisions say: the lead may still be earlier than the work. */
export function asksForAnswer(entry: TriageEntry | undefined, rules: WorkRules): boolean {
  return entry === undefined || (isOpen(entry) && entry.answeredAt == null && !isSnoozed(entry, rules))
}
