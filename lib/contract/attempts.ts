import { z } from 'zod'
import { type Attempt, attemptChannelSchema, attemptOutcomeSchema, leadRefSchema, leadStatusSchema } from './lead'
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

/**
 * `POST /api/attempts`: somebody tried to reach the person, by themselves. `sent` and `talked` are answers, `no-answer` and
 * `call-again` are not. Nothing of what was said, and no address or number, is part of it.
 */
export const newAttemptSchema = leadRefSchema
  .extend({ channel: attemptChannelSchema, outcome: attemptOutcomeSchema.exclude(['unsure']), ...decided })
  .strict()
export type NewAttempt = z.infer<typeof newAttemptSchema>

/** `undo` is for `POST /api/triage/undo`; it takes the attempt back and what was decided with it. */
export type AttemptAnswer = { attempt: Attempt & { id: string }; undo: string }

/**
 * `POST /api/replies`: Intag sends it, to the address of the lead and nobody else, while the person waits; 503 where no mail
 * can be sent. Nothing of it is stored. `key` is the browser's own name for it: what was sent once is not sent again. 502 with a
 * `reason` (`MailOutcome`) when it failed.
 */
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
export type ReplyAnswer = AttemptAnswer | { attempt: null; undo: '' }

/** `PATCH /api/replies`: whether a mail that may have been sent was; `attempt` is the `unsure` one of the lead. 409 when it is known. */
export const settleReplySchema = leadRefSchema
  .extend({ attempt: z.string().regex(/^[1-9]\d{0,14}$/), wasSent: z.boolean() })
  .strict()
export type SettleReply = z.infer<typeof settleReplySchema>
export type ReplySettled = { wasSent: boolean }
