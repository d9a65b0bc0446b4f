import { z } from 'zod'
import { admissionDates } from '@/lib/interest/cycle-days'
import { day, type Declared, moment } from './endpoint'
import { leadListSchema, leadRefSchema } from './lead'

const dayQuerySchema = z.strictObject({ school: z.array(z.string().min(1).max(500)).max(1000).optional() })

/** How much there is to do; each is the number of rows of a list with the filter of that name (`lib/inbox/queues`). */
const numbers = {
  /** Came since the person's last visit of the list, and nobody has begun with it. */
  new: z.int(),
  late: z.int(),
  dueToday: z.int(),
  waiting: z.int(),
  mine: z.int(),
  followUps: z.int(),
  snoozed: z.int(),
  unassigned: z.int(),
}
export type DayNumbers = z.infer<z.ZodObject<typeof numbers>>

/** First and last day on which leads came whose last day within the goal is today. */
const dueDaysSchema = z.strictObject({ from: day, to: day })
export type DueDays = z.infer<typeof dueDaysSchema>

/** The same of one list; `since`: the end of the last visit of it, `due` null when today is nobody's last day. */
const listDaySchema = z.strictObject({ ...numbers, since: moment.nullable(), due: dueDaysSchema.nullable() })
export type ListDay = z.infer<typeof listDaySchema>

/** Who has waited longest of those who wait too long; `name` only where a row would show it. */
const oldestLateSchema = leadRefSchema
  .extend({ list: leadListSchema, waitingSince: moment, name: z.string().nullable(), school: z.string() })
  .strict()
export type OldestLate = z.infer<typeof oldestLateSchema>

const colleagueSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Open leads within the reader's reach that are theirs. */
  left: z.int(),
  /** When they last did something, if that was within the last minutes. */
  here: moment.nullable(),
  /** The first day on which they are back from leave. */
  backOn: day.nullable(),
  /** The schools whose new leads go to them in turn. */
  standsFor: z.array(z.string()),
})
export type Colleague = z.infer<typeof colleagueSchema>

/** A date of the admission (`key`), or one of the school group's own (`name`). */
const seasonDateSchema = z.union([
  z.strictObject({ day, key: z.enum(admissionDates) }),
  z.strictObject({ day, name: z.string() }),
])
export type SeasonDate = z.infer<typeof seasonDateSchema>

const seasonSchema = z.strictObject({
  today: day,
  /** The enrollment year whose admission it is. */
  cohort: z.int(),
  /** First and last day of what the strip shows. */
  from: day,
  to: day,
  /** Until the last day to apply; less than 0 once it is over. */
  daysToClose: z.int(),
  next: seasonDateSchema.nullable(),
  dates: z.array(seasonDateSchema),
})
export type Season = z.infer<typeof seasonSchema>

/** First answers of this week; the share within the goal is of those that have one, from 0 to 1. */
const weekFiguresSchema = z.strictObject({
  answered: z.int(),
  answeredWithinGoal: z.number().nullable(),
  medianMinutes: z.number().nullable(),
})
export type WeekFigures = z.infer<typeof weekFiguresSchema>

const wholeDaySchema = z.strictObject({
  ...numbers,
  /** The end of the last visit, of whichever list; null: this is the first. */
  since: moment.nullable(),
  /** All leads within reach, whatever became of them. */
  leads: z.int(),
  /** Whether the reader has any school at all. */
  hasSchools: z.boolean(),
  byList: z.strictObject({ 'asked-questions': listDaySchema, 'declarations-of-interest': listDaySchema }),
  oldest: oldestLateSchema.nullable(),
  /** Notes that name the reader, on leads that they have not opened since. */
  mentions: z.int(),
  /** The newest of them. */
  mentioned: z.array(leadRefSchema),
  team: z.array(colleagueSchema),
  season: seasonSchema,
  week: weekFiguresSchema,
})
export type Day = z.infer<typeof wholeDaySchema>

export const dayEndpoints = {
  'GET /api/day': {
    what: 'What there is to do today, of all schools within reach or of these.',
    who: 'leads:read',
    query: dayQuerySchema,
    answer: wholeDaySchema,
  },
} satisfies Declared
