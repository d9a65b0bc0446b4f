import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'

/** `{firstName}` and `{school}` in subject and body stand for the pupil's and the school's name. */
export const newTemplateSchema = z.strictObject({
  language: z.enum(locales),
  name: z.string().trim().min(1).max(80),
  subject: z.string().trim().min(1).max(200),
  body: z.string().trim().min(1).max(4_000),
})
export type NewTemplate = z.infer<typeof newTemplateSchema>

/** `PUT /api/templates/:id`, administrators. `POST /api/templates` and `DELETE /api/templates/:id` likewise. */
export type ReplyTemplate = NewTemplate & { id: string }

/** `GET /api/templates`: everyone who may read leads. */
export type TemplatesAnswer = { templates: ReplyTemplate[] }
