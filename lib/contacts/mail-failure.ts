import { ApiError } from '@/lib/api/send'

/** The user reads a text of its own for each of these reasons and kinds. */
const REASONS_WITH_TEXT = [
  'unreachable',
  'refused',
  'recipient',
  'try-later',
  'unknown',
  'mail-not-set-up',
  'no-address',
  'recipient-busy',
] as const
/** For these reasons the mail server refuses Intag's account or sender, which the user cannot change. */
const ACCOUNT_REASONS = new Set(['credentials', 'basic-auth-disabled', 'not-authenticated', 'send-as-denied'])
const KINDS_WITH_TEXT = ['offline', 'not-ready', 'unauthorized', 'unauthenticated', 'not-found'] as const

/** Classifies a failed mail by the server's reason, or else by the kind of the request's failure. */
export function classifyMailFailure(error: unknown) {
  if (!(error instanceof ApiError)) return 'other'
  const reason = REASONS_WITH_TEXT.find((known) => known === error.reason)
  if (reason !== undefined) return reason
  if (ACCOUNT_REASONS.has(error.reason ?? '')) return 'account'
  if (error.status === 429) return 'busy'
  // A refused request never reached the mail server.
  return KINDS_WITH_TEXT.find((known) => known === error.kind) ?? (error.kind === 'refused' ? 'not-sent' : 'other')
}

type MailFailure = ReturnType<typeof classifyMailFailure>

export function mayHaveArrived(failure: MailFailure): boolean {
  return failure === 'unknown' || isUnanswered(failure)
}

/** Tells whether what became of the mail is unknown here. A request with the same idempotency key asks for it. */
export function isUnanswered(failure: MailFailure): boolean {
  return failure === 'offline' || failure === 'other' || failure === 'not-ready'
}
