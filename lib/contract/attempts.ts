import { z } from 'zod'
import type { Declared } from './endpoint'
import { attemptChannelSchema, attemptOutcomeSchema, attemptSchema, leadRefSchema, leadStatusSchema } from './lead'
import { daySchema } from './list-query'
import { LONGEST_REPLY } from './lists'

/** A text with something in it that one can see. */
const written = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/[^\p{C}\p{Z}]/u)

/** What is decided about the lead in the same stroke; undone with it. */
const decided = {
  status: leadStatusSchema.optional(),
  /** Come back on this day; null: do not. */
  snoozeUntil: daySchema.nullable().optional(),
}

/** `sent` and `talked` are answers, `no-answer` and `call-again` are not. What was said, to which address, is no part of it. */
export const newAttemptSchema = leadRefSchema
  .extend({ channel: attemptChannelSchema, outcome: attemptOutcomeSchema.exclude(['unsure']), ...decided })
  .strict()
export type NewAttempt = z.infer<typeof newAttemptSchema>

/** `undo` is for `POST /api/triage/undo`; it takes the attempt back and what was decided with it. */
const attemptAnswerSchema = z.strictObject({ attempt: attemptSchema.extend({ id: z.string() }), undo: z.string() })
export type AttemptAnswer = z.infer<typeof attemptAnswerSchema>

/** It goes to the address of the lead and nobody else. `key`: the browser's own name for it; what was sent once is not sent again. */
export const replySchema = leadRefSchema
  .extend({
    subject: written(LONGEST_REPLY.subject),
    body: written(LONGEST_REPLY.body),
    key: z.string().min(8).max(100).optional(),
    ...decided,
  })
  .strict()
export type Reply = z.infer<typeof replySchema>

/**
 * It was sent. `attempt` is null where that could not be noted yet, nor what was decided with it. `undo` takes back the decision
 * alone, and is empty where nothing was decided.
 */
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
} satisfies Declared
