import { z } from 'zod'
import { LOCALES } from '@/lib/i18n/locale'
import { endpoint } from './endpoint'
import { attemptChannelSchema, attemptOutcomeSchema, attemptSchema, leadRefSchema, leadStatusSchema } from './lead'
import { MAX_TEMPLATE_LENGTH } from './limits'
import { boundedDaySchema } from './list-query'
import { MAIL_WAYS, MAX_REPLY_LENGTH } from './lists'

/** A text must have more than blanks and control characters. */
const textSchema = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .regex(/[^\p{C}\p{Z}]/u)

/** A request with a `key` is carried out once, however often it is sent. */
const decisionFields = {
  key: z.string().min(8).max(100).optional(),
  status: leadStatusSchema.optional(),
  snoozeUntil: boundedDaySchema.nullable().optional(),
}

/** Neither what was said nor the address is stored. */
export const newAttemptSchema = leadRefSchema
  .extend({ channel: attemptChannelSchema, outcome: attemptOutcomeSchema, ...decisionFields })
  .strict()
export type NewAttempt = z.infer<typeof newAttemptSchema>

const attemptAnswerSchema = z.strictObject({ attempt: attemptSchema.extend({ id: z.string() }), undo: z.string() })

/** A reply goes to the lead's address only. */
export const replySchema = leadRefSchema
  .extend({ subject: textSchema(MAX_REPLY_LENGTH.subject), body: textSchema(MAX_REPLY_LENGTH.body), ...decisionFields })
  .strict()
export type Reply = z.infer<typeof replySchema>

/** Subject and body may contain placeholders (`{firstName}`; `lib/contacts/reply-mail.ts` has them all). */
export const newTemplateSchema = z.strictObject({
  language: z.enum(LOCALES),
  name: z.string().trim().min(1).max(MAX_TEMPLATE_LENGTH.name),
  subject: z.string().trim().min(1).max(MAX_TEMPLATE_LENGTH.subject),
  body: z.string().trim().min(1).max(MAX_TEMPLATE_LENGTH.body),
})
export type NewTemplate = z.infer<typeof newTemplateSchema>

/** Only its owner sees a template that `isOwn`. */
const addedTemplateSchema = newTemplateSchema.extend({ isOwn: z.literal(true).optional() })

const replyTemplateSchema = addedTemplateSchema.extend({ id: z.string() })
export type ReplyTemplate = z.infer<typeof replyTemplateSchema>

const sharedTemplateErrors = { 403: 'for everybody, and no administrator' }

export const attemptEndpoints = {
  'POST /api/attempts': endpoint('leads:reply', 'Notes an attempt made outside Intag, and decides.', {
    body: newAttemptSchema,
    answer: attemptAnswerSchema,
    errors: { 409: 'too many, on the lead or in a day' },
  }),
  'GET /api/replies': endpoint('leads:reply', 'Whether Intag sends, and each school’s way of mailing where chosen.', {
    answer: z.strictObject({ canSend: z.boolean(), ways: z.record(z.string(), z.enum(MAIL_WAYS)).optional() }),
  }),
  'POST /api/replies': endpoint('leads:reply', 'Mails a lead’s address and notes it, not the text, once per `key`.', {
    body: replySchema,
    /** `attempt` is null if the mail was sent and could not be noted; `undo` is empty if nothing was decided. */
    answer: z.union([attemptAnswerSchema, z.strictObject({ attempt: z.null(), undo: z.literal('') })]),
    errors: {
      409: 'no address',
      502: 'failed; see `reason` (`unknown`: it may have been sent)',
      503: 'no mail server is set, or the mail of this key is being sent',
    },
  }),
  'GET /api/templates': endpoint('leads:read', 'The reply templates for everybody, and the user’s own.', {
    answer: z.strictObject({ templates: z.array(replyTemplateSchema) }),
  }),
  'POST /api/templates': endpoint('leads:reply', 'Adds an own one (`isOwn`), or for everybody (administrators).', {
    body: addedTemplateSchema,
    answer: replyTemplateSchema,
    errors: { ...sharedTemplateErrors, 409: 'too many' },
  }),
  'PUT /api/templates/[id]': endpoint('leads:reply', 'Changes an own one, or one for everybody (administrators).', {
    body: newTemplateSchema,
    answer: replyTemplateSchema,
    errors: sharedTemplateErrors,
  }),
  'DELETE /api/templates/[id]': endpoint('leads:reply', 'Deletes an own one, or one for everybody (administrators).', {
    errors: sharedTemplateErrors,
  }),
}
