import { z } from 'zod'
import { type Declared, endpoint, moment } from './endpoint'
import { FEED_LISTS, type FeedList, LEAD_LISTS } from './lists'

/** The token, the limits, the way to the service, or its answer. */
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
  since: moment,
  /** The list shrank suddenly and is not believed yet. */
  isHeldBack: z.literal(true).exactOptional(),
  /** Where, if not at the service. */
  at: z.literal('redis').exactOptional(),
})
export type ProblemInfo = z.infer<typeof problemInfoSchema>

export const snapshotInfoSchema = z.strictObject({
  /** When it was requested. */
  fetchedAt: moment,
  /** Null while nothing is planned or an answer is slow. */
  nextAt: moment.nullable(),
  stale: z.boolean(),
  problem: problemInfoSchema.nullable(),
  /** Grows with every change of content, across restarts. */
  version: z.int(),
  /** Records that were set aside. */
  unreadable: z.int(),
})
export type SnapshotInfo = z.infer<typeof snapshotInfoSchema>

const statusSchema = z.strictObject({
  mode: z.enum(['demo', 'connected']),
  now: moment,
  lists: z.record(z.enum(FEED_LISTS), snapshotInfoSchema.nullable()),
  problems: z.array(problemInfoSchema.extend({ list: z.enum(FEED_LISTS), retryAt: moment.nullable() })),
  budget: z.strictObject({ spentThisHour: z.int(), perHour: z.int() }),
})
export type Status = z.infer<typeof statusSchema>

/**
 * `try-later`: 4xx; `credentials` to `send-as-denied`: the mail server does not take Intag's account or sender; `unknown`:
 * the connection broke, and the mail may have left.
 */
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

/** `too-many`: as many as are sent in an hour, in all or to that address. */
export const linkMailSchema = z.strictObject({ outcome: z.enum([...MAIL_OUTCOMES, 'too-many']), detail: z.string() })
export type LinkMail = z.infer<typeof linkMailSchema>

export type MailReport = { server: string; from: string; tls: 'always' | 'if-offered' | 'none' }

/** With whom it lies: the provider, an administrator (`setting`), the user (`expired`, `refused`), or Intag. */
export const SIGN_ON_CAUSES = {
  'provider-unreachable': 'unreachable',
  'provider-slow': 'unreachable',
  'provider-error': 'unreachable',
  certificate: 'setting',
  'discovery-unreadable': 'setting',
  'issuer-mismatch': 'setting',
  'endpoint-missing': 'setting',
  'keys-unreadable': 'setting',
  'client-secret': 'setting',
  'client-refused': 'setting',
  'redirect-uri': 'setting',
  'code-refused': 'expired',
  'state-lost': 'expired',
  'token-issuer': 'setting',
  'token-audience': 'setting',
  'token-nonce': 'expired',
  'token-signature': 'setting',
  'token-algorithm': 'setting',
  'token-unreadable': 'setting',
  clock: 'setting',
  'userinfo-refused': 'setting',
  'userinfo-subject': 'setting',
  'access-denied': 'refused',
  'not-assigned': 'refused',
  'consent-missing': 'refused',
  'provider-refused': 'refused',
  'email-missing': 'setting',
  'email-unverified': 'setting',
  'group-overage': 'setting',
  'bound-otherwise': 'setting',
  disabled: 'unknown',
  'unknown-person': 'unknown',
  'nothing-mapped': 'unknown',
  'not-fresh': 'setting',
  'other-person': 'refused',
  'intag-unavailable': 'unavailable',
} as const satisfies Record<string, SignOnClass>

export type SignOnCause = keyof typeof SIGN_ON_CAUSES
export type SignOnClass = 'unreachable' | 'setting' | 'expired' | 'refused' | 'unknown' | 'unavailable'

export type SignOnReport = {
  name: string
  issuer: string
  checkedAt: string | null
  problem: { cause: SignOnCause; since: string; detail: string } | null
  /** Null when the provider sends no date. */
  clockAheadMs: number | null
  lastSignInAt: string | null
  /** Of a user's sign-in. The code is in the log, and users read it out. */
  lastFailure: { at: string; cause: SignOnCause; code: string } | null
}

/** What administrators see of a list beside its status, as it was when they opened the page. */
export type ListReport = {
  /** Null before the first good answer. */
  records: number | null
  /** `doubt`: the list shrank from `before` to `now`; not believed after so many such answers. */
  problem: { detail: string; doubt?: { before: number; now: number; answers: number } } | null
  /** `records` are the first of them: where, whose and why, never what. */
  setAside: { total: number; records: { index: number; id: string | null; reason: string }[] }
}

export type ServiceReport = {
  status: Status
  lists: Record<FeedList, ListReport>
  /** Null without single sign-on. */
  signOn: SignOnReport | null
  /** Null where people use their own mail programs. */
  mail: MailReport | null
}

/**
 * Nothing of a list is purged until an administrator agrees: it is shorter by more than a tenth, or as long as before
 * while more than a tenth of its leads are gone (`renewed`), or half of those that staff worked on. `missing` of `before` are
 * gone; the list has `now`.
 */
const purgeHoldSchema = z.strictObject({
  list: z.enum(LEAD_LISTS),
  cause: z.enum(['shrunk', 'renewed', 'worked-on']),
  before: z.int(),
  now: z.int(),
  missing: z.int(),
  since: moment,
})
export type PurgeHold = z.infer<typeof purgeHoldSchema>

const holds = z.strictObject({ holds: z.array(purgeHoldSchema) })

export const feedEndpoints = {
  'GET /api/status': endpoint('interest:read', 'Each list’s freshness and fault; the hour’s spent requests.', {
    answer: statusSchema,
  }),
  'GET /api/purge-holds': endpoint(
    'admin',
    'Lists that lack many leads: nothing is deleted until an administrator agrees.',
    {
      answer: holds,
    },
  ),
  'POST /api/purge-holds': endpoint('admin', 'Agrees; answers what is left.', {
    body: purgeHoldSchema.pick({ list: true }),
    answer: holds,
    errors: { 404: 'not held' },
  }),
  'POST /api/status/mail': endpoint('admin', 'Sends the caller a test message.', {
    answer: mailTestAnswerSchema,
    errors: { 503: 'no mail server is set' },
  }),
} satisfies Declared
