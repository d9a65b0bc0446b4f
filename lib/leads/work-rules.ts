import type { DueDays } from '@/lib/contract/day'
import type { LeadKind } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import type { AnswerGoals } from '@/lib/contract/settings'
import { getOrCreate } from '@/lib/get-or-create'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { addDays, toStockholmClock, toStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'
import { findDueDay, findLateBefore } from '@/lib/time/working-days'
import { type LeadTable, NO_YEAR } from './lead-table'
import type { TriageEntry } from './triage-entry'

/** The rules tell which leads are work and which are late. They hold until midnight, 07:00 or a new setting. */
export type WorkRules = {
  /** Rules with the same key give the same answers. */
  readonly key: string
  /** This cohort is being admitted. */
  readonly cohort: number | null
  /** Leads from before this moment (ms) are no work. */
  readonly workSince: number
  /** `openYear` is the first cohort whose admission is not over. It has been so since the moment `openSince` (ms). */
  readonly openYear: number
  readonly openSince: number
  /** A lead from before this moment (ms) is late unless it was answered. */
  readonly lateBefore: number
  /** Leads with a follow-up day after this one are snoozed; the others have come back. */
  readonly returnDay: string
  /** Returns the last day within the goal for a lead of a moment (ms), or null without a goal. */
  readonly toDueDay: (createdAt: number) => string | null
}

const RETURN_HOUR_MS = 7 * HOUR_MS

type RuleSettings = {
  firstDay: string | null
  cohort?: number | null
  openYear: number | null
  openFrom?: string | null
  goals: AnswerGoals
}

export function createWorkRules(kind: LeadKind, now: number, settings: RuleSettings): WorkRules {
  const { firstDay, cohort = null, openYear, openFrom = null, goals } = settings
  const goal = goals[kind]
  const today = toStockholmDay(now)
  const returnDay = toStockholmClock(now) % DAY_MS >= RETURN_HOUR_MS ? today : addDays(today, -1)
  const lateBefore = goal === null ? -Infinity : findLateBefore(today, goal)
  const dueByDay = new Map<string, string>()
  return {
    key: JSON.stringify([firstDay, cohort, openYear, openFrom, goal, lateBefore, returnDay]),
    cohort,
    workSince: firstDay === null ? -Infinity : startOfStockholmDay(firstDay),
    openYear: openYear ?? -Infinity,
    openSince: openFrom === null ? -Infinity : startOfStockholmDay(openFrom),
    lateBefore,
    returnDay,
    toDueDay(createdAt) {
      if (goal === null) return null
      const day = toStockholmDay(createdAt)
      return getOrCreate(dueByDay, day, () => findDueDay(createdAt, goal))
    },
  }
}

/** Tells whether a lead is from before the first day of work, or of a cohort whose admission is over. */
export function isBeforeWork({ workSince, openYear }: WorkRules, createdAt: number, year: number): boolean {
  return createdAt < workSince || (year < openYear && year !== NO_YEAR)
}

/**
 * Creates a test of rows like `isBeforeWork`. It judges protected declarations by their arrival alone, because their year
 * would be disclosed otherwise.
 */
export function createBeforeWorkTest({ kind, createdAt, year, protection }: LeadTable, rules: WorkRules) {
  const marks = kind === 'declaration-of-interest' ? protection?.markByRow : undefined
  return (row: number): boolean => {
    const arrivedAt = createdAt[row] ?? 0
    if (marks?.has(row)) return arrivedAt < rules.workSince || arrivedAt < rules.openSince
    return isBeforeWork(rules, arrivedAt, year[row] ?? NO_YEAR)
  }
}

/** Finds the first and last day whose leads are due today, or null if none are, as on a Sunday. */
export function findDueDays({ lateBefore, toDueDay }: WorkRules, today: string): DueDays | null {
  if (lateBefore === -Infinity || toDueDay(lateBefore) !== today) return null
  const from = toStockholmDay(lateBefore)
  let to = from
  while (to < today && toDueDay(startOfStockholmDay(addDays(to, 1))) === today) to = addDays(to, 1)
  return { from, to }
}

export function isOpen(entry: TriageEntry | undefined): boolean {
  return !isClosed(entry?.status)
}

export function isSnoozed(entry: TriageEntry | undefined, { returnDay }: WorkRules): boolean {
  return isOpen(entry) && entry?.snoozeUntil != null && entry.snoozeUntil > returnDay
}

/** Tells whether a lead was snoozed until a day that has come. */
export function isFollowUp(entry: TriageEntry | undefined, { returnDay }: WorkRules): boolean {
  return isOpen(entry) && entry?.snoozeUntil != null && entry.snoozeUntil <= returnDay
}

/** Tells whether a lead needs an answer, provided that it is work (see `isBeforeWork`). */
export function needsAnswer(entry: TriageEntry | undefined, rules: WorkRules): boolean {
  return isOpen(entry) && entry?.answeredAt == null && !isSnoozed(entry, rules)
}
