import { z } from 'zod'
import { endpoint } from './endpoint'
import { attemptChannelSchema, attemptOutcomeSchema, attemptSchema, leadRefSchema, leadStatusSchema } from './lead'
import { MAIL_WAYS, MAX_REPLY_LENGTH } from './limits'
import { boundedDaySchema } from './list-query'

/** A text must have more than blanks and control characters. */
const textSchema = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .regex(/[^\p{C}\p{Z}]/u)

const decisionFields = {
  /** A request with a key is carried out once, however often it is sent. */
  key: z.string().min(8).max(100).optional(),
  status: leadStatusSchema.optional(),
  snoozeUntil: boundedDaySchema.nullable().optional(),
}

/** An attempt stores neither what was said nor the address. */
const newAttemptSchema = leadRefSchema
  .extend({ channel: attemptChannelSchema, outcome: attemptOutcomeSchema, ...decisionFields })
  .strict()
export type NewAttempt = z.infer<typeof newAttemptSchema>

const attemptAnswerSchema = z.strictObject({ attempt: attemptSchema.extend({ id: z.string() }), undo: z.string() })

/** A reply goes to the lead's address only. */
export const replySchema = leadRefSchema
  .extend({ subject: textSchema(MAX_REPLY_LENGTH.subject), body: textSchema(MAX_REPLY_LENGTH.body), ...decisionFields })
  .strict()
export type Reply = z.infer<typeof replySchema>

export const attemptEndpoints = {
  'POST /api/attempts': endpoint('leads:reply', 'Notes an attempt made outside Intag, and decides.', {
    body: newAttemptSchema,
    answer: attemptAnswerSchema,
    errors: { 409: 'too many on the lead' },
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
}
