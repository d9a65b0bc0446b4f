import { z } from 'zod'
import type { AdmissionDate } from '@/lib/interest/cycle-days'
import type { LeadList, LeadRef } from './lead'

/** `GET /api/day`: `school` (repeatable) narrows all numbers to these schools. */
export const dayQuerySchema = z.strictObject({ school: z.array(z.string().min(1).max(500)).max(1000).optional() })

/** How much there is to do; each is the number of rows of a list with the filter of that name (`lib/inbox/queues`). */
export type DayNumbers = {
  /** Came since the person's last visit of the list, and nobody has begun with it. */
  new: number
  late: number
  dueToday: number
  waiting: number
  mine: number
  followUps: number
  snoozed: number
  unassigned: number
}

/** First and last day on which leads came whose last day within the goal is today. */
export type DueDays = { from: string; to: string }

/** The same of one list; `since`: the end of the last visit of it, `due` null when today is nobody's last day. */
export type ListDay = DayNumbers & { since: string | null; due: DueDays | null }

/** Who has waited longest of those who wait too long; `name` only where a row would show it. */
export type OldestLate = LeadRef & { list: LeadList; waitingSince: string; name: string | null; school: string }

export type Colleague = {
  id: string
  name: string
  /** Open leads within the reader's reach that are theirs. */
  left: number
  /** When they last did something, if that was within the last minutes. */
  here: string | null
  /** The first day on which they are back from leave. */
  backOn: string | null
  /** The schools whose new leads go to them in turn. */
  standsFor: string[]
}

/** A date of the admission (`key`), or one of the school group's own (`name`). */
export type SeasonDate = { day: string; key: AdmissionDate } | { day: string; name: string }

export type Season = {
  today: string
  /** The enrollment year whose admission it is. */
  cohort: number
  /** First and last day of what the strip shows. */
  from: string
  to: string
  /** Until the last day to apply; less than 0 once it is over. */
  daysToClose: number
  next: SeasonDate | null
  dates: SeasonDate[]
}

/** First answers of this week; the share within the goal is of those that have one, from 0 to 1. */
export type WeekFigures = { answered: number; answeredWithinGoal: number | null; medianMinutes: number | null }

export type Day = DayNumbers & {
  /** The end of the last visit, of whichever list; null: this is the first. */
  since: string | null
  /** All leads within reach, whatever became of them. */
  leads: number
  /** Whether the reader has any school at all. */
  hasSchools: boolean
  byList: Record<LeadList, ListDay>
  oldest: OldestLate | null
  /** Notes that name the reader, on leads that they have not opened since. */
  mentions: number
  /** The newest of them. */
  mentioned: LeadRef[]
  team: Colleague[]
  season: Season
  week: WeekFigures
}
