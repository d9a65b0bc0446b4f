import { z } from 'zod'
import { firstOutOfOrder, isDayOfEveryYear } from '@/lib/interest/cohort'
import { type Declared, endpoint } from './endpoint'
import { exportChoiceSchema } from './export'
import { daySchema } from './list-query'
import { MAIL_WAYS } from './lists'
import usualTopics from '@/lib/topics/default-topics.json' with { type: 'json' }
import { isTopicWord, MAX_TOPICS, MAX_WORDS, NO_TOPIC } from '@/lib/topics/topic-list'

const id = z.string().min(1).max(500)

/** Null: all leads are work, and no cohort is over. */
const workFromSchema = z.strictObject({ from: daySchema.nullable() })

/** Working days until an answer; null: no goal. */
const goalDays = z.int().min(1).max(60).nullable()
const goalsSchema = z.strictObject({ 'asked-question': goalDays, 'declaration-of-interest': goalDays })
export type AnswerGoals = z.infer<typeof goalsSchema>

/** `where`: time and place, as a mail says them; without `school` it is for all of them. */
export const ownDateSchema = z.strictObject({
  day: daySchema,
  name: z.string().trim().min(1).max(80),
  where: z.string().trim().max(120).optional(),
  school: id.optional(),
})
export type OwnDate = z.infer<typeof ownDateSchema>

const topicWord = z.string().trim().max(40).refine(isTopicWord)
const topicName = z.string().trim().min(1).max(40)
const topicSchema = z.strictObject({
  id: z
    .string()
    .max(30)
    .regex(/^[a-zA-Z0-9]+$/)
    .refine((one) => one !== NO_TOPIC),
  name: z.strictObject({ sv: topicName, en: topicName }),
  /** A question has the topic when it has any of them, in whatever form. */
  words: z.array(topicWord).min(1).max(MAX_WORDS),
})
export type NamedTopic = z.infer<typeof topicSchema>

const maxKeys = (limit: number) => (value: object) => Object.keys(value).length <= limit

export const workSettingsSchema = z.strictObject({
  work: workFromSchema.nullable(),
  goals: goalsSchema,
  calendar: z.array(ownDateSchema).max(100),
  /** By school, the users who get its new leads in turn. */
  standing: z.record(id, z.array(id).max(50)).refine(maxKeys(1_000)),
  /** By user, the day on which they are back from leave. */
  leave: z.record(id, daySchema).refine(maxKeys(5_000)),
  /** By school, the `Reply-To` of mail. */
  replyTo: z.record(id, z.email().max(200)).refine(maxKeys(1_000)),
  /** By school, how its people mail; without one by Intag where it can send, else by the computer's program. */
  mailWay: z.record(id, z.enum(MAIL_WAYS)).refine(maxKeys(1_000)),
  /** What questions are about. */
  topics: z
    .array(topicSchema)
    .max(MAX_TOPICS)
    .refine((all) => new Set(all.map((one) => one.id)).size === all.length),
})
export type WorkSettings = z.infer<typeof workSettingsSchema>

/** When a user who is on leave on `day` is back; null: not on leave. */
export function awayUntil(leave: WorkSettings['leave'], person: string, day: string): string | null {
  const back = leave[person] ?? null
  return back !== null && back > day ? back : null
}

const ownLeaveSchema = z.strictObject({ until: daySchema.nullable() })
export type OwnLeave = z.infer<typeof ownLeaveSchema>

/** Maps change entry by entry; `[]` or null removes one. */
export const workSettingsChangeSchema = workSettingsSchema
  .extend({
    leave: z.record(id, daySchema.nullable()).refine(maxKeys(5_000)),
    replyTo: z.record(id, z.email().max(200).nullable()).refine(maxKeys(1_000)),
    mailWay: z.record(id, z.enum(MAIL_WAYS).nullable()).refine(maxKeys(1_000)),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, { message: 'give at least one setting' })
export type WorkSettingsChange = z.infer<typeof workSettingsChangeSchema>

/** A declaration asks nothing, so it has no goal by default. */
export const usualWorkSettings: WorkSettings = {
  work: null,
  goals: { 'asked-question': 2, 'declaration-of-interest': null },
  calendar: [],
  standing: {},
  leave: {},
  replyTo: {},
  mailWay: {},
  topics: usualTopics,
}

/** A day that every year has, `MM-dd`, in Europe/Stockholm. */
const dayOfYear = z.string().max(5).refine(isDayOfEveryYear)

export const admissionCycleSchema = z
  .strictObject({
    applicationOpens: dayOfYear,
    applicationCloses: dayOfYear,
    preliminary: dayOfYear,
    changePeriodEnds: dayOfYear,
    final: dayOfYear,
    reservesEnd: dayOfYear,
  })
  .superRefine((cycle, context) => {
    const late = firstOutOfOrder(cycle)
    if (late) context.addIssue({ code: 'custom', path: [late], message: 'must be later than the date before it' })
  })
export type AdmissionCycle = z.infer<typeof admissionCycleSchema>

export const defaultAdmissionCycle: AdmissionCycle = {
  applicationOpens: '01-15',
  applicationCloses: '02-15',
  preliminary: '04-15',
  changePeriodEnds: '05-15',
  final: '07-01',
  reservesEnd: '09-15',
}

export const mailChoiceSchema = z.strictObject({ on: z.boolean(), language: z.enum(['sv', 'en']).default('sv') })
export type MailChoice = z.infer<typeof mailChoiceSchema>
export type ScheduledMail = 'digest' | 'week'

/** By name. Never anything about a pupil. */
export const preferenceSchemas = {
  'export.asked-questions': exportChoiceSchema,
  'export.declarations-of-interest': exportChoiceSchema,
  digest: mailChoiceSchema,
  week: mailChoiceSchema,
  welcome: z.strictObject({ seen: z.boolean() }),
  /** The season in which the rule about advertising to minors was acknowledged. */
  minors: z.strictObject({ season: z.int() }),
} as const
export type PreferenceName = keyof typeof preferenceSchemas
export type Preference<Name extends PreferenceName> = z.infer<(typeof preferenceSchemas)[Name]>

const params = z.object({ name: z.string().max(100) })
const value = z.union(Object.values(preferenceSchemas))

export const settingsEndpoints = {
  'GET /api/settings': endpoint('interest:read', 'What holds for everybody’s work.', { answer: workSettingsSchema }),
  'PATCH /api/settings': endpoint('admin', 'Sets what is given.', {
    body: workSettingsChangeSchema,
    answer: workSettingsSchema,
    errors: { 403: '`replyTo` needs a proof (`reason` is `proof-needed`)' },
  }),
  'GET /api/account/leave': endpoint('leads:triage', 'Own leave.', { answer: ownLeaveSchema }),
  'PUT /api/account/leave': endpoint('leads:triage', 'Sets it.', { body: ownLeaveSchema, answer: ownLeaveSchema }),
  'GET /api/admission-cycle': endpoint('interest:read', 'The admission’s dates.', { answer: admissionCycleSchema }),
  'PUT /api/admission-cycle': endpoint('admin', 'Sets them.', {
    body: admissionCycleSchema,
    answer: admissionCycleSchema,
  }),
  'GET /api/preferences/[name]': endpoint('signed-in', 'An own choice; null: none that fits.', {
    params,
    answer: z.strictObject({ value: value.nullable() }),
  }),
  'PUT /api/preferences/[name]': endpoint('signed-in', 'Keeps it.', {
    params,
    body: z.strictObject({ value: z.unknown() }),
    answer: z.strictObject({ value }),
  }),
} satisfies Declared
