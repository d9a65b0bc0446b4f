import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import { leadListSchema, leadRefSchema } from './lead'
import { matchingSchema, sortSchema } from './list-query'
import { LISTS } from './lists'

/** What a file can have as columns; which of them a list has says `lib/export/export-columns`. */
export const exportColumnSchema = z.enum([
  'createdAt',
  'school',
  'firstName',
  'lastName',
  'sender',
  'email',
  'phone',
  'year',
  'mode',
  'question',
  'status',
  'assignee',
  'id',
  'highSchoolId',
])
export type ExportColumnName = z.infer<typeof exportColumnSchema>

/** `emails` are the distinct addresses as JSON, to be copied into a mail. */
export const exportFormatSchema = z.enum(['xlsx', 'csv', 'vcf', 'emails'])
export type ExportFormat = z.infer<typeof exportFormatSchema>

const csvDelimiterSchema = z.enum([';', ',', '\t'])
export type CsvDelimiter = z.infer<typeof csvDelimiterSchema>
export const csvEncodingSchema = z.enum(['utf-8-bom', 'utf-8', 'utf-16le', 'windows-1252'])
export type CsvEncoding = z.infer<typeof csvEncodingSchema>

const target = {
  list: leadListSchema,
  leads: z.array(leadRefSchema).min(1).max(10_000).optional(),
  matching: matchingSchema.optional(),
}
type Target = z.infer<z.ZodObject<typeof target>>

/** Which leads: named, all of the list's kind, or all that match in the list. */
const isOneOf = ({ leads, matching }: Target) => (leads === undefined) !== (matching === undefined)
const isOfList = ({ list, leads, matching }: Target) =>
  (matching === undefined || matching.list === list) && (leads ?? []).every(({ kind }) => kind === LISTS[list].kind)
const eitherOr = { path: ['leads'], message: 'give either leads or matching' }
const ofTheList = { path: ['list'], message: 'leads and matching must be of the list' }

/**
 * `POST /api/exports` answers the file, or `EmailsAnswer` as JSON for `emails`; `X-Export-Count` says how many leads are in
 * it, `X-Export-Id` names its entry in the log. Leads that are gone or out of reach are passed over; 404 when none is left.
 * A column that the list does not have stands empty; one named twice stands once.
 */
export const exportRequestSchema = z
  .strictObject({
    ...target,
    /** For spreadsheets; without it, those of the list that people read. A vCard has its own fields. */
    columns: z.array(exportColumnSchema).min(1).max(50).optional(),
    format: exportFormatSchema.default('xlsx'),
    /** Why, in a word or the person's own; logged before the first byte. */
    purpose: z.string().trim().min(1).max(300),
    /** As in the list: by itself newest first, and of a search the best matches first. */
    sort: sortSchema.optional(),
    /** Only those of `matching` that were in none of the person's earlier exports of it. */
    newOnly: z.boolean().default(false),
    /** Also those with a protected identity, as far as the person is shown who they are; without it no file has them. */
    includeProtected: z.boolean().default(false),
    /** What the person was promised: 409, and nothing leaves, when it is no longer so many. */
    expectedCount: z.int().min(1).optional(),
    delimiter: csvDelimiterSchema.default(';'),
    encoding: csvEncodingSchema.default('utf-8-bom'),
    /** Of headers and values; without it, that of the person's screen. */
    language: z.enum(locales).optional(),
  })
  .refine(isOneOf, eitherOr)
  .refine(isOfList, ofTheList)
  .refine(({ newOnly, matching }) => !newOnly || matching !== undefined, {
    path: ['newOnly'],
    message: 'only with matching',
  })
export type ExportRequest = z.output<typeof exportRequestSchema>
/** As a browser writes it: what has a default may be left out. */
export type NewExport = z.input<typeof exportRequestSchema>

export type EmailsAnswer = {
  /** Distinct but for case, in the order of the list. */
  emails: string[]
  /** Leads without an address, or with one that nothing could be sent to. */
  without: number
}

/** `POST /api/exports/preview`: what an export of these leads would hold. */
export const exportPreviewRequestSchema = z
  .strictObject({
    ...target,
    format: exportFormatSchema.default('xlsx'),
    includeProtected: z.boolean().default(false),
  })
  .refine(isOneOf, eitherOr)
  .refine(isOfList, ofTheList)
export type ExportPreviewRequest = z.output<typeof exportPreviewRequestSchema>
export type ExportTarget = Pick<z.input<typeof exportPreviewRequestSchema>, 'list' | 'leads' | 'matching'>

/** How many leads, and what is known of them. */
export type ExportTally = {
  count: number
  withEmail: number
  withPhone: number
  /** By enrollment year, see `lib/leads/minor-by-year`. */
  under16: number
  mayBeUnder16: number
  /** Leads of persons with a protected identity, counted in or left out, and how many of these the person is shown. */
  protected: { count: number; shown: number }
}
export type ExportPreview = ExportTally & {
  /** Of the matching leads, those in none of the person's exports of the same list and filter; null for named leads. */
  newSinceLast: number | null
  /** ISO 8601; null when the person never exported it. */
  lastExportAt: string | null
  /** What a `newOnly` export would hold; null when the person never exported it. */
  fresh: ExportTally | null
}

export type ExportState = 'started' | 'finished' | 'broken'

export type ExportEntry = {
  id: string
  at: string
  list: z.infer<typeof leadListSchema>
  format: ExportFormat
  columns: ExportColumnName[]
  count: number
  /** How many leads had left when it ended; null while it runs, or when its process died. */
  written: number | null
  state: ExportState
  endedAt: string | null
  /** Empty when it was written under another key and can no longer be read. */
  purpose: string
  /** Null when leads were picked one by one, and when it can no longer be read. */
  matching: z.infer<typeof matchingSchema> | null
  newOnly: boolean
}

/** `GET /api/exports`: the person's own exports, newest first. `before` is the `at` of the last entry of the page before. */
export const exportHistoryQuerySchema = z.strictObject({
  before: z.iso
    .datetime()
    .max(40)
    .refine((moment) => moment >= '1900')
    .optional(),
  limit: z.int().min(1).max(200).default(50),
})
export type ExportHistoryQuery = z.infer<typeof exportHistoryQuerySchema>
export type ExportHistory = { exports: ExportEntry[]; hasMore: boolean }

const exportChoiceSchema = z.strictObject({
  columns: z.array(exportColumnSchema).min(1).max(50),
  format: z.enum(['xlsx', 'csv', 'vcf']),
  delimiter: csvDelimiterSchema,
  encoding: csvEncodingSchema,
})
export type ExportChoice = z.infer<typeof exportChoiceSchema>

/** What a person chooses once and finds again everywhere, by name. Never anything about a pupil. */
export const preferenceSchemas = {
  'export.asked-questions': exportChoiceSchema,
  'export.declarations-of-interest': exportChoiceSchema,
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
