import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { isOutage, isWriteRefused } from '@/server/base/database-outage'
import { readTextProperty } from '@/server/base/error-codes'
import * as errors from '@/server/base/errors'
import type { Logger } from '@/server/base/logger'
import { choosePrivateHeaders } from '@/server/base/private-headers'

/** Maps an error to a response: an unexpected one to 500 without details, an outage in a change to "Not saved". */
export function errorResponse(error: unknown, { isChange = false } = {}): Response {
  const status = findStatus(error)
  if (status !== null && error instanceof Error) {
    const reason = readTextProperty(error, 'reason')
    const retryAfter = 'retryAfterSeconds' in error ? { 'retry-after': String(error.retryAfterSeconds) } : {}
    if (reason === '') return jsonResponse({ error: error.message }, status, retryAfter)
    return jsonResponse({ error: error.message, reason }, status, { ...retryAfter, [REASON_HEADER]: reason })
  }
  if (!isOutage(error)) return jsonResponse({ error: 'Internal Server Error' }, 500)
  const outage = `database cannot be ${isWriteRefused(error) ? 'written to' : 'reached'}`
  const message = isChange ? `Not saved: the ${outage}` : `The ${outage}`
  return jsonResponse({ error: message }, 503, { 'retry-after': '5', [REASON_HEADER]: DATABASE_AWAY })
}

function findStatus(error: unknown): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof errors.InvalidInputError) return 400
  if (error instanceof errors.UnauthenticatedError) return 401
  if (error instanceof errors.NotFoundError) return 404
  if (error instanceof errors.ConflictError) return 409
  if (error instanceof errors.TooManyTriesError) return 429
  if (error instanceof errors.NotReadyError) return 503
  if (error instanceof errors.MailNotSentError) {
    if (error.reason === 'no-address') return 409
    return error.reason === 'mail-not-set-up' ? 503 : 502
  }
  if (error instanceof errors.ForbiddenError || error instanceof errors.WrongProofError) return 403
  if (error instanceof errors.ReauthenticationError || error instanceof errors.SecondFactorMissingError) return 403
  return null
}

export class HttpError extends Error {
  override readonly name = 'HttpError'

  constructor(
    readonly status: 400 | 403 | 405 | 413 | 415,
    message: string,
    readonly reason?: string,
  ) {
    super(message)
  }
}

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  const type = { 'content-type': 'application/json' }
  return new Response(text, { status, headers: { ...type, ...choosePrivateHeaders(text), ...headers } })
}

/** Probes are logged at debug level, because they come every few seconds, and their 503 is no failure. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

type RequestLine = { method: string; path: string; status: number; ms: number; userId: string | null }

/** An unexpected failure is logged whole, the mail server's by its codes, and an outage on a line of its own. */
export function logRequest(logger: Logger, line: RequestLine, failure: { err?: unknown }): void {
  const { err } = failure
  if (PROBES.has(line.path) && err === undefined) logger.debug(line, 'request')
  else if (line.status < 500 || err instanceof errors.NotReadyError) logger.info(line, 'request')
  else if (line.status === 500) logger.error({ ...line, ...failure }, 'request failed')
  else if (isOutage(err)) {
    logger.info(line, 'request')
    logger.warn(failure, 'the database cannot be reached')
  } else {
    const codes = err instanceof errors.MailNotSentError ? { reason: err.reason, detail: err.detail } : {}
    logger.warn({ ...line, ...codes }, 'request')
  }
}
