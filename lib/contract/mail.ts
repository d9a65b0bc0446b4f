import { z } from 'zod'
import type { Declared } from './endpoint'

/** What came of a mail; `unsure`: the connection broke after the server had been given it; `try-later`: 4xx. */
export const MAIL_OUTCOMES = [
  'sent',
  'unreachable',
  'refused',
  'timed-out',
  'recipient',
  'try-later',
  'unsure',
] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

/** `detail`: codes, empty when it was sent. */
const mailTestAnswerSchema = z.strictObject({ outcome: z.enum(MAIL_OUTCOMES), detail: z.string() })
export type MailTestAnswer = z.infer<typeof mailTestAnswerSchema>

/** The mail server as it is set up, without its credentials; part of `GET /api/feed-report`. */
export const mailReportSchema = z.object({
  server: z.string(),
  from: z.string(),
  tls: z.enum(['always', 'if-offered', 'none']),
})
export type MailReport = z.infer<typeof mailReportSchema>

export const mailEndpoints = {
  'POST /api/status/mail': {
    what: 'Sends a test message to the administrator who asks.',
    who: 'admin',
    answer: mailTestAnswerSchema,
    errors: { 503: 'Intag sends no mail here' },
  },
} satisfies Declared
