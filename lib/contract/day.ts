import { z } from 'zod'
import { admissionDates } from '@/lib/interest/cohort'
import { day, type Declared, endpoint, moment } from './endpoint'
import { leadListSchema, leadRefSchema } from './lead'

const dayQuerySchema = z.strictObject({ school: z.array(z.string().min(1).max(500)).max(1000).optional() })

/** Each is the number of rows of a queue (`lib/inbox/queues`). */
const numbers = {
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

/** The days on which leads came that are due today. */
const dueDaysSchema = z.strictObject({ from: day, to: day })
export type DueDays = z.infer<typeof dueDaysSchema>

/** `since`: the end of the last visit; `due` is null when nothing is due today. */
const listDaySchema = z.strictObject({ ...numbers, since: moment.nullable(), due: dueDaysSchema.nullable() })
export type ListDay = z.infer<typeof listDaySchema>

/** The lead whose goal was passed first; `name` only where a row would show it. */
const oldestLateSchema = leadRefSchema
  .extend({ list: leadListSchema, waitingSince: moment, name: z.string().nullable(), school: z.string() })
  .strict()
export type OldestLate = z.infer<typeof oldestLateSchema>

const colleagueSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  left: z.int(),
  here: moment.nullable(),
})
export type Colleague = z.infer<typeof colleagueSchema>

const seasonDateSchema = z.strictObject({ day, key: z.enum(admissionDates) })
export type SeasonDate = z.infer<typeof seasonDateSchema>

const seasonSchema = z.strictObject({
  today: day,
  cohort: z.int(),
  from: day,
  to: day,
  /** Less than 0 after the last day to apply. */
  daysToClose: z.int(),
  next: seasonDateSchema.nullable(),
  dates: z.array(seasonDateSchema),
})
export type Season = z.infer<typeof seasonSchema>

/** First answers of this week. The share is of leads with a goal, 0 to 1. */
const weekFiguresSchema = z.strictObject({
  answered: z.int(),
  answeredWithinGoal: z.number().nullable(),
  medianMinutes: z.number().nullable(),
})
export type WeekFigures = z.infer<typeof weekFiguresSchema>

const wholeDaySchema = z.strictObject({
  ...numbers,
  since: moment.nullable(),
  leads: z.int(),
  hasSchools: z.boolean(),
  byList: z.strictObject({ 'asked-questions': listDaySchema, 'declarations-of-interest': listDaySchema }),
  oldest: oldestLateSchema.nullable(),
  /** Notes that name the caller, on leads not opened since. */
  mentions: z.int(),
  mentioned: z.array(leadRefSchema),
  team: z.array(colleagueSchema),
  season: seasonSchema,
  week: weekFiguresSchema,
})
export type Day = z.infer<typeof wholeDaySchema>

export const dayEndpoints = {
  'GET /api/day': endpoint('leads:read', 'Today’s work, of all schools in scope or these.', {
    query: dayQuerySchema,
    answer: wholeDaySchema,
  }),
} satisfies Declared
