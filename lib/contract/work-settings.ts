import { z } from 'zod'
import type { Declared } from './endpoint'
import { daySchema } from './list-query'

const id = z.string().min(1).max(500)

/** From which day on leads count as work; null: all of them, and no cohort is over. */
const workFromSchema = z.strictObject({ from: daySchema.nullable() })

/** In so many working days a lead is to be answered; null: there is no goal. */
const goalDays = z.int().min(1).max(60).nullable()
const goalsSchema = z.strictObject({ 'asked-question': goalDays, 'declaration-of-interest': goalDays })
export type AnswerGoals = z.infer<typeof goalsSchema>

/** A date of the school group's own beside those of the admission, such as an open house. */
const ownDateSchema = z.strictObject({ day: daySchema, name: z.string().trim().min(1).max(80) })
export type OwnDate = z.infer<typeof ownDateSchema>

const mostKeys = (limit: number) => (value: object) => Object.keys(value).length <= limit

/** What an administrator sets for the work of everybody. */
export const workSettingsSchema = z.strictObject({
  /** Null until an administrator has chosen: then everything is work. */
  work: workFromSchema.nullable(),
  goals: goalsSchema,
  calendar: z.array(ownDateSchema).max(100),
  /** By school, the ids of those to whom its new leads go in turn. */
  standing: z.record(id, z.array(id).max(50)).refine(mostKeys(1_000)),
  /** By user id, the first day on which somebody who is on leave is back. */
  leave: z.record(id, daySchema).refine(mostKeys(5_000)),
  /** By school, the address that answers to our mail go to. */
  replyTo: z.record(id, z.email().max(200)).refine(mostKeys(1_000)),
})
export type WorkSettings = z.infer<typeof workSettingsSchema>

/** The day on which somebody who is on leave on a day is back; null: they are here. A leave that is over is none. */
export function awayUntil(leave: WorkSettings['leave'], person: string, day: string): string | null {
  const back = leave[person] ?? null
  return back !== null && back > day ? back : null
}

/** Until the day one is back, at most `latestReturn`; null: not on leave. */
const ownLeaveSchema = z.strictObject({ until: daySchema.nullable() })
export type OwnLeave = z.infer<typeof ownLeaveSchema>

/** At least one of them. Of what is said by school or person, those that are named change: nobody (`[]`) or null takes one away. */
export const workSettingsChangeSchema = workSettingsSchema
  .extend({
    leave: z.record(id, daySchema.nullable()).refine(mostKeys(5_000)),
    replyTo: z.record(id, z.email().max(200).nullable()).refine(mostKeys(1_000)),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, { message: 'give at least one setting' })
export type WorkSettingsChange = z.infer<typeof workSettingsChangeSchema>

/** Two working days for a question, none for a declaration, which nobody asked anything in. */
export const usualWorkSettings: WorkSettings = {
  work: null,
  goals: { 'asked-question': 2, 'declaration-of-interest': null },
  calendar: [],
  standing: {},
  leave: {},
  replyTo: {},
}

export const workEndpoints = {
  'GET /api/settings': {
    what: 'What holds for the work of everybody: goals, calendar, who stands for which school, who is on leave.',
    who: 'interest:read',
    answer: workSettingsSchema,
  },
  'PATCH /api/settings': {
    what: 'Sets any of it; what is not given stays.',
    who: 'admin',
    body: workSettingsChangeSchema,
    answer: workSettingsSchema,
    errors: { 403: '`replyTo` is given without a proof of the last ten minutes (`reason` is `proof-needed`)' },
  },
  'GET /api/account/leave': {
    what: 'The caller’s own leave.',
    who: 'leads:triage',
    answer: ownLeaveSchema,
  },
  'PUT /api/account/leave': {
    what: 'Sets the caller’s own leave.',
    who: 'leads:triage',
    body: ownLeaveSchema,
    answer: ownLeaveSchema,
  },
} satisfies Declared
