import { z } from 'zod'
import { csvDelimiterSchema, csvEncodingSchema, exportColumnSchema } from './export'

const exportChoice = z.strictObject({
  columns: z.array(exportColumnSchema).min(1).max(50),
  format: z.enum(['xlsx', 'csv', 'vcf']),
  delimiter: csvDelimiterSchema,
  encoding: csvEncodingSchema,
})
export type ExportChoice = z.infer<typeof exportChoice>

/** What a person chooses once and finds again everywhere, by name. Never anything about a pupil. */
export const preferenceSchemas = {
  'export.asked-questions': exportChoice,
  'export.declarations-of-interest': exportChoice,
} as const
export type PreferenceName = keyof typeof preferenceSchemas
export type Preference<Name extends PreferenceName> = z.infer<(typeof preferenceSchemas)[Name]>

/**
 * `GET /api/preferences/:name` answers `{value}`, null when nothing was chosen or what was no longer fits;
 * `PUT` with `{value}` keeps it. 404 for a name that is none.
 */
export const preferenceBodySchema = z.strictObject({ value: z.unknown() })
