import { z } from 'zod'
import { LOCALES } from '@/lib/i18n/locale'
import { endpoint, momentSchema } from './endpoint'
import { leadListSchema, leadRefSchema } from './lead'
import { EXPORT_PURPOSES, FILE_FORMATS } from './limits'
import { hasLeadsOrMatching, leadsOrMatchingIssue, matchingSchema, sortSchema } from './list-query'
import { LISTS } from './lists'

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

export const exportFormatSchema = z.enum([...FILE_FORMATS, 'emails'])
export type ExportFormat = z.infer<typeof exportFormatSchema>

const exportTargetSchema = z
  .strictObject({
    list: leadListSchema,
    leads: z.array(leadRefSchema).min(1).max(10_000).optional(),
    matching: matchingSchema.optional(),
  })
  .refine(hasLeadsOrMatching, leadsOrMatchingIssue)
  .refine(
    ({ list, leads = [], matching }) =>
      (matching === undefined || matching.list === list) && leads.every(({ kind }) => kind === LISTS[list].kind),
    { path: ['list'], message: 'leads and matching must be of the list' },
  )
export type ExportTarget = z.infer<typeof exportTargetSchema>

/** A column that the list does not have stays empty. */
export const exportRequestSchema = exportTargetSchema
  .safeExtend({
    /** Only spreadsheets have columns; a vCard has its own fields. */
    columns: z.array(exportColumnSchema).min(1).max(50).optional(),
    format: exportFormatSchema.default('xlsx'),
    purpose: z.string().trim().min(1).max(300),
    sort: sortSchema.optional(),
    /** Only leads in none of the caller's earlier exports of `matching` are exported. */
    newOnly: z.boolean().default(false),
    /** Nothing is exported unless exactly this many leads are found. */
    expectedCount: z.int().min(1).optional(),
    delimiter: z.enum([';', ',', '\t']).default(';'),
    encoding: z.enum(['utf-8-bom', 'utf-8', 'utf-16le', 'windows-1252']).default('utf-8-bom'),
    language: z.enum(LOCALES).optional(),
  })
  .refine(({ newOnly, matching }) => !newOnly || matching !== undefined, {
    path: ['newOnly'],
    message: 'only with matching',
  })
export type ExportRequest = z.output<typeof exportRequestSchema>
export type ExportRequestInput = z.input<typeof exportRequestSchema>

const exportPreviewRequestSchema = exportTargetSchema.safeExtend({ format: exportFormatSchema.default('xlsx') })
export type ExportPreviewRequest = z.output<typeof exportPreviewRequestSchema>

const exportTallySchema = z.strictObject({
  count: z.int(),
  withEmail: z.int(),
  withPhone: z.int(),
  under16: z.int(),
  mayBeUnder16: z.int(),
  /** Protected persons are in no file. */
  withheld: z.int(),
})
export type ExportTally = z.infer<typeof exportTallySchema>

const exportEntrySchema = z.strictObject({
  id: z.string(),
  at: momentSchema,
  list: leadListSchema,
  format: exportFormatSchema,
  columns: z.array(exportColumnSchema),
  count: z.int(),
  /** Counts the leads in the file; null until the export ends, or if the process died. */
  written: z.int().nullable(),
  state: z.enum(['started', 'finished', 'broken']),
  /** If the key that encrypted them is gone, `purpose` is empty and `matching` null. Named leads have no filter. */
  purpose: z.string(),
  matching: matchingSchema.nullable(),
  newOnly: z.boolean(),
})
export type ExportEntry = z.infer<typeof exportEntrySchema>

/** `before` is the `at` of the previous page's last entry. Years before 1900 are refused: PostgreSQL has no year 0. */
export const exportHistoryQuerySchema = z.strictObject({
  before: momentSchema
    .max(40)
    .refine((before) => before >= '1900')
    .optional(),
  limit: z.int().min(1).max(200).default(50),
})
export type ExportHistoryQuery = z.infer<typeof exportHistoryQuerySchema>

/** The schema is not strict, because an earlier release remembered more. */
export const exportChoiceSchema = z.object({
  columns: z.array(exportColumnSchema).min(1).max(50),
  format: z.enum(FILE_FORMATS),
  /** A purpose in the user's own words is remembered as `other` only. */
  purpose: z.enum(EXPORT_PURPOSES).optional(),
})
export type ExportChoice = z.infer<typeof exportChoiceSchema>

export const exportEndpoints = {
  'GET /api/exports': endpoint('leads:export', 'Own exports, newest first.', {
    query: exportHistoryQuerySchema,
    answer: z.strictObject({ exports: z.array(exportEntrySchema), hasMore: z.boolean() }),
  }),
  'POST /api/exports': endpoint('leads:export', 'Logs, then sends a file; headers `X-Export-Count`, `X-Export-Id`.', {
    body: exportRequestSchema,
    /** The format `emails` has distinct addresses in list order, and the number of leads without a usable one. */
    answer: z.strictObject({ emails: z.array(z.string()), without: z.int() }),
    responseTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv', 'text/vcard'],
    errors: { 404: 'all are gone or out of scope', 409: 'not `expectedCount`' },
  }),
  'POST /api/exports/preview': endpoint('leads:export', 'What an export would hold.', {
    body: exportPreviewRequestSchema,
    answer: exportTallySchema.extend({
      /** Counts the leads in none of the caller's exports of the same filter; null for named leads. */
      newSinceLast: z.int().nullable(),
      lastExportAt: momentSchema.nullable(),
      /** This is the tally of a `newOnly` export, or null before the first export. */
      fresh: exportTallySchema.nullable(),
    }),
  }),
}
