import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import { type Declared, moment } from './endpoint'
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
  'answeredAt',
  'answeredBy',
  'attempts',
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

/** A column that the list does not have stands empty; one named twice stands once. */
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

const emailsAnswerSchema = z.strictObject({
  /** Distinct but for case, in the order of the list. */
  emails: z.array(z.string()),
  /** Leads without an address, or with one that nothing could be sent to. */
  without: z.int(),
})
export type EmailsAnswer = z.infer<typeof emailsAnswerSchema>

const exportPreviewRequestSchema = z
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
const exportTallySchema = z.strictObject({
  count: z.int(),
  withEmail: z.int(),
  withPhone: z.int(),
  /** By enrollment year, see `lib/leads/minor-by-year`. */
  under16: z.int(),
  mayBeUnder16: z.int(),
  /** Leads of persons with a protected identity, counted in or left out, and how many of these the person is shown. */
  protected: z.strictObject({ count: z.int(), shown: z.int() }),
})
export type ExportTally = z.infer<typeof exportTallySchema>
const exportPreviewSchema = exportTallySchema.extend({
  /** Of the matching leads, those in none of the person's exports of the same list and filter; null for named leads. */
  newSinceLast: z.int().nullable(),
  /** Null when the person never exported it. */
  lastExportAt: moment.nullable(),
  /** What a `newOnly` export would hold; null when the person never exported it. */
  fresh: exportTallySchema.nullable(),
})
export type ExportPreview = z.infer<typeof exportPreviewSchema>

export const exportStateSchema = z.enum(['started', 'finished', 'broken'])
export type ExportState = z.infer<typeof exportStateSchema>

const exportEntrySchema = z.strictObject({
  id: z.string(),
  at: moment,
  list: leadListSchema,
  format: exportFormatSchema,
  columns: z.array(exportColumnSchema),
  count: z.int(),
  /** How many leads had left when it ended; null while it runs, or when its process died. */
  written: z.int().nullable(),
  state: exportStateSchema,
  endedAt: moment.nullable(),
  /** Empty when it was written under another key and can no longer be read. */
  purpose: z.string(),
  /** Null when leads were picked one by one, and when it can no longer be read. */
  matching: matchingSchema.nullable(),
  newOnly: z.boolean(),
})
export type ExportEntry = z.infer<typeof exportEntrySchema>

/** `before` is the `at` of the last entry of the page before. */
export const exportHistoryQuerySchema = z.strictObject({
  before: z.iso
    .datetime()
    .max(40)
    .refine((before) => before >= '1900')
    .optional(),
  limit: z.int().min(1).max(200).default(50),
})
export type ExportHistoryQuery = z.infer<typeof exportHistoryQuerySchema>
const exportHistorySchema = z.strictObject({ exports: z.array(exportEntrySchema), hasMore: z.boolean() })
export type ExportHistory = z.infer<typeof exportHistorySchema>

/** How somebody likes their files, kept as a preference. */
export const exportChoiceSchema = z.strictObject({
  columns: z.array(exportColumnSchema).min(1).max(50),
  format: z.enum(['xlsx', 'csv', 'vcf']),
  delimiter: csvDelimiterSchema,
  encoding: csvEncodingSchema,
})
export type ExportChoice = z.infer<typeof exportChoiceSchema>

export const exportEndpoints = {
  'GET /api/exports': {
    what: 'The caller’s own exports, newest first.',
    who: 'leads:export',
    query: exportHistoryQuerySchema,
    answer: exportHistorySchema,
  },
  'POST /api/exports': {
    what: 'A file of leads, logged before its first byte; `X-Export-Count` says how many are in it, `X-Export-Id` names its entry in the log.',
    who: 'leads:export',
    body: exportRequestSchema,
    answer: emailsAnswerSchema,
    content: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv', 'text/vcard'],
    errors: {
      403: 'more leads than the sign-in rules allow without a proof of the last ten minutes (`reason` is `proof-needed`)',
      404: 'all of the leads are gone or out of reach',
      409: 'they are not as many as `expectedCount`',
    },
  },
  'POST /api/exports/preview': {
    what: 'What an export of these leads would hold.',
    who: 'leads:export',
    load: 'read',
    body: exportPreviewRequestSchema,
    answer: exportPreviewSchema,
  },
} satisfies Declared
