import { z } from 'zod'
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

/**
 * `GET /api/preferences/:name` answers `{value}`, null when nothing was chosen or what was no longer fits;
 * `PUT` with `{value}` keeps it. 404 for a name that is none.
 */
export const preferenceBodySchema = z.strictObject({ value: z.unknown() })
