import { z } from 'zod'
import { byId, type Declared, moment } from './endpoint'

/** A sign-in that holds. */
const accountSessionSchema = z.strictObject({
  id: z.string(),
  method: z.enum(['password', 'passkey', 'oidc']),
  /** Browser and system, such as "Firefox, Windows"; `?` for a program that does not say. */
  device: z.string(),
  address: z.string(),
  createdAt: moment,
  /** At most a minute older than the last use. */
  lastUsedAt: moment,
  /** When it ends by itself unless it is used. */
  endsAt: moment,
  /** Whether it is the one that asks. */
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof accountSessionSchema>

const sessionsAnswerSchema = z.strictObject({ sessions: z.array(accountSessionSchema) })
export type SessionsAnswer = z.infer<typeof sessionsAnswerSchema>

/** How many had not ended yet. */
const ended = z.strictObject({ ended: z.int() })

export const accountEndpoints = {
  'GET /api/account/sessions': {
    what: 'Where the person is signed in, the latest used first.',
    who: 'signed-in',
    enrolling: true,
    answer: sessionsAnswerSchema,
  },
  'DELETE /api/account/sessions': {
    what: 'Signs the person out everywhere; with `keep=current` everywhere else.',
    who: 'signed-in',
    enrolling: true,
    query: z.strictObject({ keep: z.literal('current').optional() }),
    answer: ended,
  },
  'DELETE /api/account/sessions/[id]': {
    what: 'Ends one of the person’s own sessions.',
    who: 'signed-in',
    enrolling: true,
    params: byId,
  },
  'GET /api/users/[id]/sessions': {
    what: 'Where another person is signed in, the latest used first.',
    who: 'admin',
    params: byId,
    answer: sessionsAnswerSchema,
  },
  'DELETE /api/users/[id]/sessions': {
    what: 'Signs another person out everywhere.',
    who: 'admin',
    proof: true,
    params: byId,
    answer: ended,
  },
} satisfies Declared
