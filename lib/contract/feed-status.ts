import { z } from 'zod'
import { endpoint, momentSchema } from './endpoint'
import { FEED_LISTS, type FeedList, LEAD_LISTS } from './lists'

/** The first two lie with the token, the others with the limits, the connection to the service, or its answer. */
export const problemKindSchema = z.enum([
  'unauthenticated',
  'unauthorized',
  'rate-limited',
  'unavailable',
  'unreadable',
])
export type ProblemKind = z.infer<typeof problemKindSchema>

const problemInfoSchema = z.strictObject({
  kind: problemKindSchema,
  since: momentSchema,
  /** The list shrank suddenly and is not believed yet. */
  isHeldBack: z.literal(true).exactOptional(),
  /** The problem lies with the database instead of the service. */
  at: z.literal('database').exactOptional(),
})
export type ProblemInfo = z.infer<typeof problemInfoSchema>

export const snapshotInfoSchema = z.strictObject({
  /** The list was requested at this moment. */
  fetchedAt: momentSchema,
  /** It is null while nothing is planned or an answer is slow. */
  nextAt: momentSchema.nullable(),
  stale: z.boolean(),
  problem: problemInfoSchema.nullable(),
  /** The version grows with every change of content, across restarts. */
  version: z.int(),
  /** So many records were set aside. */
  unreadable: z.int(),
})
export type SnapshotInfo = z.infer<typeof snapshotInfoSchema>

const statusSchema = z.strictObject({
  mode: z.enum(['demo', 'connected']),
  now: momentSchema,
  lists: z.record(z.enum(FEED_LISTS), snapshotInfoSchema.nullable()),
  problems: z.array(problemInfoSchema.extend({ list: z.enum(FEED_LISTS), retryAt: momentSchema.nullable() })),
  budget: z.strictObject({ spentThisHour: z.int(), perHour: z.int() }),
})
export type Status = z.infer<typeof statusSchema>

/** From `credentials` to `send-as-denied` the server refuses Intag's account or sender. `unknown`: the connection broke, so the mail may have left. */
export const MAIL_OUTCOMES = [
  'sent',
  'unreachable',
  'timed-out',
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

/** For these reasons single sign-on refuses a user. The log has the provider's own words. */
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

/** `problem` says why single sign-on cannot be used; it is null while it can. */
export type SignOnReport = { name: string; problem: string | null }

/** Only administrators see this part of a list's status. */
export type ListReport = {
  /** It is null before the first good answer. */
  records: number | null
  problem: { detail: string } | null
  /** `records` describes the first ones by index, id and reason, and never has their content. */
  setAside: { total: number; records: { index: number; id: string | null; reason: string }[] }
}

export type ServiceReport = {
  status: Status
  lists: Record<FeedList, ListReport>
  /** It is null without single sign-on. */
  signOn: SignOnReport | null
  /** It is null where people use their own mail programs. */
  mail: MailReport | null
}

/** Administrators see what is wrong (faults) and what is not set up yet (gaps). `blind` users have no school. */
export const FAULTS = ['failing', 'heldBack', 'purge', 'signOn', 'unreadable', 'blind'] as const
export const GAPS = ['workFrom', 'secondFactor', 'oneAdmin', 'invited', 'mail', 'replyTo', 'templates'] as const
export type Finding = {
  kind: (typeof FAULTS)[number] | (typeof GAPS)[number]
  list?: FeedList
  count?: number
}

/** More than a tenth of a list's leads are gone: it has shrunk, or others have come (`renewed`). Nothing is purged until an administrator agrees. */
const purgeHoldSchema = z.strictObject({
  list: z.enum(LEAD_LISTS),
  cause: z.enum(['shrunk', 'renewed']),
  before: z.int(),
  now: z.int(),
  missing: z.int(),
  since: momentSchema,
})
export type PurgeHold = z.infer<typeof purgeHoldSchema>

const purgeHoldsSchema = z.strictObject({ holds: z.array(purgeHoldSchema) })

export const feedEndpoints = {
  'GET /api/status': endpoint('interest:read', 'Each list’s freshness and fault; the hour’s spent requests.', {
    answer: statusSchema,
  }),
  'GET /api/purge-holds': endpoint('admin', 'Lists that lack many leads, which an administrator must agree to purge.', {
    answer: purgeHoldsSchema,
  }),
  'POST /api/purge-holds': endpoint('admin', 'Agrees; answers what is left.', {
    body: purgeHoldSchema.pick({ list: true }),
    answer: purgeHoldsSchema,
    errors: { 404: 'not held' },
  }),
  'POST /api/status/mail': endpoint('admin', 'Sends the caller a test message.', {
    answer: mailTestAnswerSchema,
    errors: { 503: 'no mail server is set' },
  }),
}
