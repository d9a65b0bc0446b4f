import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import { byId, type Declared } from './endpoint'
import { attemptChannelSchema, attemptOutcomeSchema, attemptSchema, leadRefSchema, leadStatusSchema } from './lead'
import { daySchema } from './list-query'
import { LONGEST_REPLY } from './lists'

/** Not only blanks and control characters. */
const written = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/[^\p{C}\p{Z}]/u)

/** Decided about the lead together with it, and undone with it. */
const decided = { status: leadStatusSchema.optional(), snoozeUntil: daySchema.nullable().optional() }

/** The browser's name of a request: sent again under the same one, it is carried out once. */
const onceKey = z.string().min(8).max(100).optional()

/** What was said and to which address is not stored. */
export const newAttemptSchema = leadRefSchema
  .extend({
    channel: attemptChannelSchema,
    outcome: attemptOutcomeSchema.exclude(['unsure']),
    key: onceKey,
    ...decided,
  })
  .strict()
export type NewAttempt = z.infer<typeof newAttemptSchema>

const attemptAnswerSchema = z.strictObject({ attempt: attemptSchema.extend({ id: z.string() }), undo: z.string() })
export type AttemptAnswer = z.infer<typeof attemptAnswerSchema>

/** It goes to the lead's address only. */
export const replySchema = leadRefSchema
  .extend({
    subject: written(LONGEST_REPLY.subject),
    body: written(LONGEST_REPLY.body),
    key: onceKey,
    ...decided,
  })
  .strict()
export type Reply = z.infer<typeof replySchema>

/** `attempt` is null where it could not be noted yet; `undo` is empty where nothing was decided. */
const replyAnswerSchema = z.union([attemptAnswerSchema, z.strictObject({ attempt: z.null(), undo: z.literal('') })])
export type ReplyAnswer = z.infer<typeof replyAnswerSchema>

/** `attempt` is the `unsure` one of the lead. */
export const settleReplySchema = leadRefSchema
  .extend({
    attempt: z
      .string()
      .max(15)
      .regex(/^[1-9]\d*$/),
    wasSent: z.boolean(),
  })
  .strict()
export type SettleReply = z.infer<typeof settleReplySchema>

/** Subject and body may contain `{firstName}` and `{school}`. */
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

export const attemptEndpoints = {
  'POST /api/attempts': {
    what: 'Records that the caller tried to reach the person behind a lead without Intag, and what is decided with it.',
    who: 'leads:reply',
    body: newAttemptSchema,
    answer: attemptAnswerSchema,
    errors: { 409: 'too many attempts, on the lead or in a day' },
  },
  'GET /api/replies': {
    what: 'Whether Intag itself sends replies.',
    who: 'leads:reply',
    answer: z.strictObject({ canSend: z.boolean() }),
  },
  'POST /api/replies': {
    what: 'Sends a mail to the address of a lead while the caller waits, and notes that it was sent; its text is not stored.',
    who: 'leads:reply',
    body: replySchema,
    answer: replyAnswerSchema,
    errors: {
      409: 'the lead has no address, or another text was sent under this key',
      502: 'it failed; `reason` says how (`unsure`: it may have been sent)',
      503: 'Intag sends no mail here',
    },
  },
  'PATCH /api/replies': {
    what: 'Settles whether a mail that may have been sent was.',
    who: 'leads:reply',
    body: settleReplySchema,
    answer: z.strictObject({ wasSent: z.boolean() }),
    errors: { 409: 'it is known already, or being sent' },
  },
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
