import { z } from 'zod'

/** A sign-in that holds. */
export type AccountSession = {
  id: string
  method: 'password' | 'passkey' | 'oidc'
  /** Browser and system, such as "Firefox, Windows"; `?` for a program that does not say. */
  device: string
  address: string
  createdAt: string
  /** At most a minute older than the last use. */
  lastUsedAt: string
  /** When it ends by itself unless it is used. */
  endsAt: string
  /** Whether it is the one that asks. */
  current: boolean
}

/** `GET /api/account/sessions`, one's own, and `GET /api/users/:id/sessions`, administrators; the latest used first. */
export type SessionsAnswer = { sessions: AccountSession[] }

/** `DELETE /api/account/sessions`: all of one's own; with `keep=current` all but the one that asks. */
export const endSessionsQuerySchema = z.strictObject({ keep: z.literal('current').optional() })

/** The answer of whatever ends several: how many had not ended yet. */
export type EndedAnswer = { ended: number }
