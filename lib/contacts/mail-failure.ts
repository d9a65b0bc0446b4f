import { ApiError } from '@/lib/api/send'

/** What the server says of why; each has its words in the area `reply`. */
const REASONS = [
  'unreachable',
  'timed-out',
  'refused',
  'recipient',
  'try-later',
  'unsure',
  'mail-not-set-up',
  'no-address',
  'other-text',
  'recipient-busy',
] as const
/** And what the answer tells by itself. */
const KINDS = ['offline', 'not-ready', 'unauthorized', 'unauthenticated', 'not-found'] as const
type Failure = (typeof REASONS)[number] | (typeof KINDS)[number] | 'busy' | 'not-sent' | 'other'

/** Why a reply did not go out. */
export function mailFailure(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'other'
  const reason = REASONS.find((known) => known === error.reason)
  if (reason !== undefined) return reason
  if (error.status === 429) return 'busy'
  // What the server refused as it stood it has not sent.
  return KINDS.find((known) => known === error.kind) ?? (error.kind === 'refused' ? 'not-sent' : 'other')
}

/** Whether the mail may have arrived all the same; then nobody is told that it did not. */
export function mayHaveArrived(error: unknown): boolean {
  const failure = mailFailure(error)
  return failure === 'unsure' || failure === 'offline' || failure === 'other'
}
