import { z } from 'zod'

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

/** `POST /api/status/mail`, administrators: a test message to themselves. `detail`: codes, empty when it was sent. 503 when not set up. */
export type MailTestAnswer = { outcome: MailOutcome; detail: string }

/** `GET /api/replies`: whether Intag sends replies itself. */
export type CanSendAnswer = { canSend: boolean }

/** The mail server as it is set up, without its credentials; part of `GET /api/feed-report`. */
export const mailReportSchema = z.object({
  server: z.string(),
  from: z.string(),
  tls: z.enum(['always', 'if-offered', 'none']),
})
export type MailReport = z.infer<typeof mailReportSchema>
