import { z } from 'zod'
import type { Declared } from './endpoint'
import { exportChoiceSchema } from './export'

/** Whether a mail with the day's counts is wanted in the morning, and in which language. */
const digestChoiceSchema = z.strictObject({ on: z.boolean(), language: z.enum(['sv', 'en']).default('sv') })

/** What a person chooses once and finds again everywhere, by name. Never anything about a pupil. */
export const preferenceSchemas = {
  'export.asked-questions': exportChoiceSchema,
  'export.declarations-of-interest': exportChoiceSchema,
  digest: digestChoiceSchema,
  /** The welcome of the first day was put off or done. */
  welcome: z.strictObject({ seen: z.boolean() }),
} as const
export type PreferenceName = keyof typeof preferenceSchemas
export type Preference<Name extends PreferenceName> = z.infer<(typeof preferenceSchemas)[Name]>

const params = z.object({ name: z.string().max(100) })
const value = z.union(Object.values(preferenceSchemas))

export const preferenceEndpoints = {
  'GET /api/preferences/[name]': {
    what: 'What the person chose once; null when nothing, or what no longer fits.',
    who: 'signed-in',
    params,
    answer: z.strictObject({ value: value.nullable() }),
  },
  'PUT /api/preferences/[name]': {
    what: 'Keeps what the person chose.',
    who: 'signed-in',
    params,
    // Which of the values it may be follows from the name.
    body: z.strictObject({ value: z.unknown() }),
    answer: z.strictObject({ value }),
  },
} satisfies Declared
