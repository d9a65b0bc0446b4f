import { z } from 'zod'
import { ADMISSION_DATES } from '@/lib/interest/cohort'
import { endpoint, idsSchema, isoDaySchema, momentSchema } from './endpoint'
import { leadRefSchema } from './lead'

/** Each number counts the leads of the queue of its name. */
const dayNumberFields = {
  new: z.int(),
  late: z.int(),
  dueToday: z.int(),
  waiting: z.int(),
  mine: z.int(),
  followUps: z.int(),
  snoozed: z.int(),
  unassigned: z.int(),
}
export type DayNumbers = z.infer<z.ZodObject<typeof dayNumberFields>>

/** `since` is the end of the last visit. Leads due today came on the days of `due`, which is null if there are none. */
const listDaySchema = z.strictObject({
  ...dayNumberFields,
  since: momentSchema.nullable(),
  due: z.strictObject({ from: isoDaySchema, to: isoDaySchema }).nullable(),
})
export type ListDay = z.infer<typeof listDaySchema>
export type DueDays = NonNullable<ListDay['due']>

const seasonDateSchema = z.strictObject({ day: isoDaySchema, key: z.enum(ADMISSION_DATES) })
export type SeasonDate = z.infer<typeof seasonDateSchema>

const wholeDaySchema = z.strictObject({
  ...dayNumberFields,
  since: momentSchema.nullable(),
  leads: z.int(),
  hasSchools: z.boolean(),
  byList: z.strictObject({ 'asked-questions': listDaySchema, 'declarations-of-interest': listDaySchema }),
  /** Counts the notes that name the caller, on leads that the caller has not opened since. */
  mentions: z.int(),
  mentioned: z.array(leadRefSchema),
  /** `left` counts a colleague's open leads; `here` is the last request, and null of a colleague who is not present. */
  team: z.array(z.strictObject({ id: z.string(), name: z.string(), left: z.int(), here: momentSchema.nullable() })),
  season: z.strictObject({
    today: isoDaySchema,
    cohort: z.int(),
    from: isoDaySchema,
    to: isoDaySchema,
    /** After the last day to apply, the number is negative. */
    daysToClose: z.int(),
    next: seasonDateSchema.nullable(),
    dates: z.array(seasonDateSchema),
  }),
  /** This week's first answers are counted; `answeredWithinGoal` is a share (0 to 1) of those to leads with a goal. */
  week: z.strictObject({
    answered: z.int(),
    answeredWithinGoal: z.number().nullable(),
    medianMinutes: z.number().nullable(),
  }),
})
export type Day = z.infer<typeof wholeDaySchema>
export type Season = Day['season']
export type WeekFigures = Day['week']

export const dayEndpoints = {
  'GET /api/day': endpoint('leads:read', 'Today’s work, of all schools in scope or these.', {
    query: z.strictObject({ school: idsSchema.optional() }),
    answer: wholeDaySchema,
  }),
}
