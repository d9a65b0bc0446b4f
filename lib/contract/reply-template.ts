import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import { byId, type Declared } from './endpoint'

/** `{firstName}` and `{school}` in subject and body stand for the pupil's and the school's name. */
export const newTemplateSchema = z.strictObject({
  language: z.enum(locales),
  name: z.string().trim().min(1).max(80),
  subject: z.string().trim().min(1).max(200),
  body: z.string().trim().min(1).max(4_000),
})
export type NewTemplate = z.infer<typeof newTemplateSchema>

const replyTemplateSchema = newTemplateSchema.extend({ id: z.string() })
export type ReplyTemplate = z.infer<typeof replyTemplateSchema>

const templatesAnswerSchema = z.strictObject({ templates: z.array(replyTemplateSchema) })
export type TemplatesAnswer = z.infer<typeof templatesAnswerSchema>

export const templateEndpoints = {
  'GET /api/templates': {
    what: 'The reply templates of every language.',
    who: 'leads:read',
    answer: templatesAnswerSchema,
  },
  'POST /api/templates': {
    what: 'Adds a reply template.',
    who: 'admin',
    proof: true,
    body: newTemplateSchema,
    answer: replyTemplateSchema,
    errors: { 409: 'there are too many' },
  },
  'PUT /api/templates/[id]': {
    what: 'Changes a reply template.',
    who: 'admin',
    proof: true,
    params: byId,
    body: newTemplateSchema,
    answer: replyTemplateSchema,
  },
  'DELETE /api/templates/[id]': {
    what: 'Deletes a reply template.',
    who: 'admin',
    proof: true,
    params: byId,
  },
} satisfies Declared
