import 'server-only'
import { DATABASE_AWAY, OTHER_ADDRESS, REASON_HEADER } from '@/lib/contract/headers'
import { isDatabaseUnreachable, isFull } from '@/server/db/trouble'
import {
  ConflictError,
  DatabaseUnreachableError,
  ForbiddenError,
  InvalidInputError,
  MailNotSentError,
  NotFoundError,
  NotReadyError,
  ProofNeededError,
  SecondFactorMissingError,
  TooManyTriesError,
  UnauthenticatedError,
  WrongProofError,
} from '@/server/errors'

/**
 * The one place where an error becomes an answer. Anything unexpected is a 500 without details. `isChange`: the request was to
 * change something, and whoever sent it must know that nothing was.
 */
export function errorResponse(error: unknown, { isChange = false } = {}): Response {
  if (error instanceof NotReadyError) return unavailable(error.message, error.retryAfterSeconds)
  if (error instanceof TooManyTriesError)
    return withReason(error, 429, { 'retry-after': String(error.retryAfterSeconds) })
  const status = statusOf(error)
  if (status !== null && error instanceof Error) return withReason(error, status)
  if (isOutage(error)) return databaseAway(isFull(error) ? 'written to' : 'reached', isChange)
  return jsonResponse({ error: 'Internal Server Error' }, 500)
}

/** Of whatever fails because the database is away. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || isDatabaseUnreachable(error)
}

const AWAY_SECONDS = 5

function databaseAway(how: 'reached' | 'written to', isChange: boolean): Response {
  const error = isChange ? `Not saved: the database cannot be ${how}` : `The database cannot be ${how}`
  const headers = { 'retry-after': String(AWAY_SECONDS), [REASON_HEADER]: DATABASE_AWAY }
  return jsonResponse({ error }, 503, headers)
}

/** The reason is a header too, so that a browser learns it without reading what it did not ask for. */
function withReason(error: Error, status: number, headers: Record<string, string> = {}): Response {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : null
  if (reason === null) return jsonResponse({ error: error.message }, status, headers)
  return jsonResponse({ error: error.message, reason }, status, { ...headers, [REASON_HEADER]: reason })
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof OtherAddressError) return 403
  if (error instanceof InvalidInputError) return 400
  if (error instanceof UnauthenticatedError) return 401
  if (error instanceof ForbiddenError) return 403
  if (error instanceof ProofNeededError || error instanceof SecondFactorMissingError) return 403
  if (error instanceof WrongProofError) return 403
  if (error instanceof NotFoundError) return 404
  if (error instanceof ConflictError) return 409
  if (error instanceof MailNotSentError) return mailStatus(error)
  return null
}

function mailStatus({ reason }: MailNotSentError): number {
  if (reason === 'no-address' || reason === 'other-text') return 409
  return reason === 'mail-not-set-up' ? 503 : 502
}

function unavailable(message: string, retryAfterSeconds: number): Response {
  return jsonResponse({ error: message }, 503, { 'retry-after': String(retryAfterSeconds) })
}

/** What only HTTP can get wrong; everything else is one of `server/errors`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'

  constructor(
    readonly status: 400 | 403 | 405 | 413 | 415,
    message: string,
  ) {
    super(message)
  }
}

/** The page that sends this is ours, at another address than `NEXTAUTH_URL`: nothing it sends can be told from a forgery. */
export class OtherAddressError extends Error {
  override readonly name = 'OtherAddressError'
  readonly reason = OTHER_ADDRESS

  constructor(
    readonly openedAt: string,
    setUpFor: string,
  ) {
    super(
      `Intag is opened at another address than it is set up for (${setUpFor}): nothing can be saved; tell your administrator`,
    )
  }
}

/** Everything we answer may be personal, so nothing on the way may keep it. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...privateHeaders, ...headers } })
}
