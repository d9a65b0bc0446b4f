import { z } from 'zod'
import { endpoint } from './endpoint'
import type { Status } from './feed-status'
import type { FeedList } from './lists'

/** From `credentials` to `send-as-denied` Intag's account is refused. With `unknown` the mail may have left. */
export const MAIL_OUTCOMES = [
  'sent',
  'unreachable',
  'refused',
  'recipient',
  'try-later',
  'credentials',
  'basic-auth-disabled',
  'not-authenticated',
  'send-as-denied',
  'unknown',
] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

const mailTestAnswerSchema = z.strictObject({ outcome: z.enum(MAIL_OUTCOMES), detail: z.string() })
export type MailTestAnswer = z.infer<typeof mailTestAnswerSchema>

/** `too-many` means that no more mail is sent this hour, in all or to that address. */
export const linkMailSchema = z.strictObject({ outcome: z.enum([...MAIL_OUTCOMES, 'too-many']), detail: z.string() })
export type LinkMailResult = z.infer<typeof linkMailSchema>

export type MailReport = { server: string; sender: string; tls: 'always' | 'if-offered' | 'none' }

/** Single sign-on fails for one of these reasons. The log has the provider's own words. */
export const SIGN_ON_CAUSES = [
  'unknown-person',
  'disabled',
  'other-account',
  'email-unverified',
  'no-access',
  'refused',
  'unreachable',
  'setup',
] as const
export type SignOnCause = (typeof SIGN_ON_CAUSES)[number]

export type ListReport = {
  records: number | null
  problem: { detail: string } | null
  /** `records` describes the first ones by index, id and reason, and never has their content. */
  setAside: { total: number; records: { index: number; id: string | null; reason: string }[] }
}

export type ServiceReport = {
  status: Status
  lists: Record<FeedList, ListReport>
  /** It is null without single sign-on. `problem` says why that cannot be used now. */
  signOn: { name: string; problem: string | null } | null
  mail: MailReport | null
}

/** Administrators see what is wrong (faults) and what is not set up yet (gaps). `blind` users have no school. */
export const FAULTS = ['failing', 'heldBack', 'purge', 'signOn', 'unreadable', 'blind'] as const
export const GAPS = ['workFrom', 'secondFactor', 'oneAdmin', 'invited', 'mail', 'replyTo', 'templates'] as const
export type Finding = { kind: (typeof FAULTS | typeof GAPS)[number]; list?: FeedList; count?: number }

export const serviceReportEndpoints = {
  'POST /api/status/mail': endpoint('admin', 'Sends the caller a test message.', {
    answer: mailTestAnswerSchema,
    errors: { 503: 'no mail server is set' },
  }),
}

export const healthEndpoints = {
  'GET /api/health': endpoint('anyone', 'For people; 503 without the database.', {
    hasOwnHandler: true,
    answer: z.strictObject({
      live: z.literal(true),
      ready: z.boolean(),
      database: z.enum(['up', 'down']),
      data: z.enum(['present', 'waiting']),
    }),
  }),
  'GET /api/health/live': endpoint('anyone', 'Whether the process lives.', {
    hasOwnHandler: true,
    answer: z.strictObject({ live: z.literal(true) }),
  }),
  'GET /api/health/ready': endpoint('anyone', 'For balancers; 503 gives reasons.', {
    hasOwnHandler: true,
    answer: z.strictObject({
      ready: z.boolean(),
      phase: z.string(),
      reasons: z.array(z.string()),
      /** These faults are shared by all instances, so they are no reason to leave the balancer. */
      degraded: z.array(z.string()),
    }),
  }),
  'GET /api/metrics': endpoint('admin', 'Prometheus text; also with `METRICS_TOKEN` as bearer token.', {
    hasOwnHandler: true,
    responseTypes: ['text/plain'],
    errors: { 401: 'neither an administrator nor the token' },
  }),
}
