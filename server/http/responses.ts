import 'server-only'
import { DATABASE_AWAY, OTHER_ADDRESS, REASON_HEADER } from '@/lib/contract/headers'
import { isFull, isOutage } from '@/server/base/trouble'
import * as errors from '@/server/base/errors'
import type { Logger } from '@/server/base/logger'
import { headersFor, untouchedHeaders } from '@/server/base/private-headers'

/** An unexpected error is a 500 without details. `isChange`: the sender must know that nothing was saved. */
export function errorResponse(error: unknown, { isChange = false } = {}): Response {
  if (error instanceof errors.NotReadyError || error instanceof errors.TooManyTriesError) {
    const status = error instanceof errors.NotReadyError ? 503 : 429
    return withReason(error, status, { 'retry-after': String(error.retryAfterSeconds) })
  }
  const status = statusOf(error)
  if (status !== null && error instanceof Error) return withReason(error, status)
  if (!isOutage(error)) return jsonResponse({ error: 'Internal Server Error' }, 500)
  const outage = `database cannot be ${isFull(error) ? 'written to' : 'reached'}`
  const message = isChange ? `Not saved: the ${outage}` : `The ${outage}`
  return jsonResponse({ error: message }, 503, { 'retry-after': '5', [REASON_HEADER]: DATABASE_AWAY })
}

function withReason(error: Error, status: number, headers: Record<string, string> = {}): Response {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : null
  if (reason === null) return jsonResponse({ error: error.message }, status, headers)
  return jsonResponse({ error: error.message, reason }, status, { ...headers, [REASON_HEADER]: reason })
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof errors.InvalidInputError) return 400
  if (error instanceof errors.UnauthenticatedError) return 401
  if (error instanceof errors.NotFoundError) return 404
  if (error instanceof errors.ConflictError) return 409
  if (error instanceof errors.MailNotSentError)
    return error.reason === 'no-address' ? 409 : error.reason === 'mail-not-set-up' ? 503 : 502
  const isForbidden =
    error instanceof errors.ForbiddenError ||
    error instanceof errors.ReauthenticationError ||
    error instanceof errors.SecondFactorMissingError ||
    error instanceof errors.WrongProofError ||
    error instanceof OtherAddressError
  return isForbidden ? 403 : null
}

export class HttpError extends Error {
  override readonly name = 'HttpError'

  constructor(
    readonly status: 400 | 403 | 405 | 413 | 415,
    message: string,
  ) {
    super(message)
  }
}

/** Our own page at another address than `NEXTAUTH_URL`: it cannot be distinguished from a forgery. */
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

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...headersFor(text), ...headers },
  })
}

/** A stream must not wait in the buffer of nginx either. */
export const streamHeaders = { ...untouchedHeaders, 'x-accel-buffering': 'no' }

/** Asked every few seconds; their 503 is an answer, not a failure. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

/** Expected failures, as of the mail server, say why in codes; unexpected ones say where. */
export function logRequest(
  logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>,
  line: { requestId: string; method: string; path: string; status: number; ms: number; userId: string | null },
  failure: { err?: unknown },
): void {
  const { err } = failure
  if (PROBES.has(line.path) && err === undefined) logger.debug(line, 'request')
  else if (line.status > 500 && isOutage(err)) {
    logger.info(line, 'request')
    logger.warn(failure, 'the database cannot be reached')
  } else if (line.status < 500 || err instanceof errors.NotReadyError) logger.info(line, 'request')
  else if (line.status > 500) {
    const { reason, detail }: Partial<Record<string, unknown>> = err instanceof Error ? { ...err } : {}
    const codes = { ...(typeof reason === 'string' && { reason }), ...(typeof detail === 'string' && { detail }) }
    logger.warn({ ...line, ...codes }, 'request')
  } else logger.error({ ...line, ...failure }, 'request failed')
}
