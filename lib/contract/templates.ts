import { z } from 'zod'
import { LOCALES } from '@/lib/i18n/locale'
import { endpoint } from './endpoint'
import { MAX_TEMPLATE_LENGTH } from './limits'

const textSchema = (maxLength: number) => z.string().trim().min(1).max(maxLength)

const newTemplateSchema = z.strictObject({
  language: z.enum(LOCALES),
  name: textSchema(MAX_TEMPLATE_LENGTH.name),
  subject: textSchema(MAX_TEMPLATE_LENGTH.subject),
  body: textSchema(MAX_TEMPLATE_LENGTH.body),
})
export type NewTemplate = z.infer<typeof newTemplateSchema>

/** Only its owner sees a template that `isOwn`. */
const addedTemplateSchema = newTemplateSchema.extend({ isOwn: z.literal(true).optional() })

const replyTemplateSchema = addedTemplateSchema.extend({ id: z.string() })
export type ReplyTemplate = z.infer<typeof replyTemplateSchema>

const writeErrors = { 403: 'for everybody, and no administrator' }

export const templateEndpoints = {
  'GET /api/templates': endpoint('leads:read', 'The reply templates for everybody, and the user’s own.', {
    answer: z.strictObject({ templates: z.array(replyTemplateSchema) }),
  }),
  'POST /api/templates': endpoint('leads:reply', 'Adds an own one (`isOwn`), or for everybody (administrators).', {
    body: addedTemplateSchema,
    answer: replyTemplateSchema,
    errors: { ...writeErrors, 409: 'too many' },
  }),
  'PUT /api/templates/[id]': endpoint('leads:reply', 'Changes an own one, or one for everybody (administrators).', {
    body: newTemplateSchema,
    answer: replyTemplateSchema,
    errors: writeErrors,
  }),
  'DELETE /api/templates/[id]': endpoint('leads:reply', 'Deletes an own one, or one for everybody (administrators).', {
    errors: writeErrors,
  }),
}
