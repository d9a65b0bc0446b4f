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
  'intag-unavailable': 'unavailable',
} as const satisfies Record<string, SignOnClass>

export type SignOnCause = keyof typeof SIGN_ON_CAUSES
export type SignOnClass = 'unreachable' | 'setting' | 'expired' | 'refused' | 'unknown' | 'unavailable'

/** Of what is wrong; the code stands in the log and is what people read out to an administrator. Times are ISO 8601. */
export type SignOnFailure = { at: string; cause: SignOnCause; code: string }

/** How the provider of single sign-on does, as this instance last found it. Part of `GET /api/feed-report`. */
export type SignOnReport = {
  name: string
  issuer: string
  /** Null until the first check has ended. */
  checkedAt: string | null
  problem: { cause: SignOnCause; since: string; detail: string } | null
  /** How far the provider's clock is ahead of ours, to the second; null when it does not say. */
  clockAheadMs: number | null
  lastSignInAt: string | null
  /** Of a person's sign-in, not of a check; null when there was none since the start. */
  lastFailure: SignOnFailure | null
}
