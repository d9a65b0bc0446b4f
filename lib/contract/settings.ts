import { z } from 'zod'
import { findDateOutOfOrder } from '@/lib/interest/cohort'
import { isDayOfEveryYear } from '@/lib/time/month-day'
import { endpoint } from './endpoint'
import { exportChoiceSchema } from './export'
import { MAIL_WAYS } from './limits'
import { boundedDaySchema } from './list-query'

/** An answer may take this many working days; null means no goal. */
const goalDaysSchema = z.int().min(1).max(60).nullable()
const goalsSchema = z.strictObject({ 'asked-question': goalDaysSchema, 'declaration-of-interest': goalDaysSchema })
export type AnswerGoals = z.infer<typeof goalsSchema>

const bySchoolSchema = <S extends z.ZodType>(value: S) =>
  z.record(z.string().min(1).max(500), value).refine((map) => Object.keys(map).length <= 1_000)

export const workSettingsSchema = z.strictObject({
  /** Without a first day (`from`) all leads are work, and no cohort is over. */
  work: z.strictObject({ from: boundedDaySchema.nullable() }).nullable(),
  goals: goalsSchema,
  replyTo: bySchoolSchema(z.email().max(200)),
  /** By default Intag sends a school's mail if it can; otherwise the computer's mail program opens. */
  mailWay: bySchoolSchema(z.enum(MAIL_WAYS)),
})
export type WorkSettings = z.infer<typeof workSettingsSchema>

/** Maps change entry by entry, and null removes an entry. */
export const workSettingsChangeSchema = workSettingsSchema
  .extend({
    replyTo: bySchoolSchema(z.email().max(200).nullable()),
    mailWay: bySchoolSchema(z.enum(MAIL_WAYS).nullable()),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, { message: 'give at least one setting' })
export type WorkSettingsChange = z.infer<typeof workSettingsChangeSchema>

/** A declaration asks nothing, so it has no goal by default. */
export const defaultWorkSettings: WorkSettings = {
  work: null,
  goals: { 'asked-question': 2, 'declaration-of-interest': null },
  replyTo: {},
  mailWay: {},
}

const dayOfYearSchema = z.string().max(5).refine(isDayOfEveryYear)

export const admissionCycleSchema = z
  .strictObject({
    applicationOpens: dayOfYearSchema,
    applicationCloses: dayOfYearSchema,
    preliminary: dayOfYearSchema,
    changePeriodEnds: dayOfYearSchema,
    final: dayOfYearSchema,
    reservesEnd: dayOfYearSchema,
  })
  .superRefine((cycle, context) => {
    const late = findDateOutOfOrder(cycle)
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

/** Preferences are a user's choices by name, and contain nothing about pupils. */
export const preferenceSchemas = {
  'export.asked-questions': exportChoiceSchema,
  'export.declarations-of-interest': exportChoiceSchema,
  /** The rule about advertising to minors was acknowledged in this season. */
  minors: z.strictObject({ season: z.int() }),
} as const
export type PreferenceName = keyof typeof preferenceSchemas
export type Preference<Name extends PreferenceName> = z.infer<(typeof preferenceSchemas)[Name]>

const nameParamsSchema = z.object({ name: z.string().max(100) })
const preferenceSchema = z.union(Object.values(preferenceSchemas))

export const settingsEndpoints = {
  'PATCH /api/settings': endpoint('admin', 'Sets what is given.', {
    body: workSettingsChangeSchema,
    answer: workSettingsSchema,
  }),
  'GET /api/admission-cycle': endpoint('interest:read', 'The admission’s dates.', { answer: admissionCycleSchema }),
  'PUT /api/admission-cycle': endpoint('admin', 'Sets them.', {
    body: admissionCycleSchema,
    answer: admissionCycleSchema,
  }),
  'GET /api/preferences/[name]': endpoint('signed-in', 'An own choice; null: none that fits.', {
    params: nameParamsSchema,
    answer: z.strictObject({ value: preferenceSchema.nullable() }),
  }),
  'PUT /api/preferences/[name]': endpoint('signed-in', 'Keeps it.', {
    params: nameParamsSchema,
    body: z.strictObject({ value: z.unknown() }),
    answer: z.strictObject({ value: preferenceSchema }),
  }),
}
