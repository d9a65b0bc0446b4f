import { z } from 'zod'

/**
 * Why a sign-in by the provider came to nothing, and whose it is to do something: `unreachable` passes or is for whoever runs
 * the provider, `setting` is an administrator's, `expired` and `refused` the person's own, `unknown` is a missing right, and
 * `unavailable` is Intag's own trouble.
 */
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

const causeSchema = z.string().refine((name): name is SignOnCause => Object.hasOwn(SIGN_ON_CAUSES, name))

/** How the provider of single sign-on does, as this instance last found it; part of `GET /api/feed-report`. Times are ISO 8601. */
export const signOnReportSchema = z.object({
  name: z.string(),
  issuer: z.string(),
  /** Null until the first check has ended. */
  checkedAt: z.string().nullable(),
  problem: z.object({ cause: causeSchema, since: z.string(), detail: z.string() }).nullable(),
  /** How far the provider's clock is ahead of ours, to the second; null when it does not say. */
  clockAheadMs: z.number().nullable(),
  lastSignInAt: z.string().nullable(),
  /** Of a person's sign-in, not of a check; the code stands in the log and is what people read out to an administrator. */
  lastFailure: z.object({ at: z.string(), cause: causeSchema, code: z.string() }).nullable(),
})
export type SignOnReport = z.infer<typeof signOnReportSchema>
