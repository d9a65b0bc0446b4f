import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { isOutage, isWriteRefused } from '@/server/base/database-outage'
import { readTextProperty } from '@/server/base/error-codes'
import * as errors from '@/server/base/errors'
import type { Logger } from '@/server/base/logger'
import { choosePrivateHeaders } from '@/server/base/private-headers'

/** An unexpected error becomes a 500 without details. An outage during a change says that nothing was saved. */
export function createErrorResponse(error: unknown, { isChange = false } = {}): Response {
  const status = findStatus(error)
  if (status !== null && error instanceof Error) {
    const reason = readTextProperty(error, 'reason')
    const retryAfter = 'retryAfterSeconds' in error ? { 'retry-after': String(error.retryAfterSeconds) } : {}
    if (reason === '') return createJsonResponse({ error: error.message }, status, retryAfter)
    return createJsonResponse({ error: error.message, reason }, status, { ...retryAfter, [REASON_HEADER]: reason })
  }
  if (!isOutage(error)) return createJsonResponse({ error: 'Internal Server Error' }, 500)
  const outage = `database cannot be ${isWriteRefused(error) ? 'written to' : 'reached'}`
  const message = isChange ? `Not saved: the ${outage}` : `The ${outage}`
  return createJsonResponse({ error: message }, 503, { 'retry-after': '5', [REASON_HEADER]: DATABASE_AWAY })
}

function findStatus(error: unknown): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof errors.MailNotSentError) {
    if (error.reason === 'no-address') return 409
    return error.reason === 'mail-not-set-up' ? 503 : 502
  }
  return ERROR_STATUSES.find(([errorClass]) => error instanceof errorClass)?.[1] ?? null
}

const ERROR_STATUSES = [
  [errors.InvalidInputError, 400],
  [errors.UnauthenticatedError, 401],
  [errors.ForbiddenError, 403],
  [errors.ReauthenticationError, 403],
  [errors.SecondFactorMissingError, 403],
  [errors.WrongProofError, 403],
  [errors.NotFoundError, 404],
  [errors.ConflictError, 409],
  [errors.TooManyTriesError, 429],
  [errors.NotReadyError, 503],
] as const

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

export function createJsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  const contentHeaders = { 'content-type': 'application/json', ...choosePrivateHeaders(text) }
  return new Response(text, { status, headers: { ...contentHeaders, ...headers } })
}

/** Probes are logged at debug level, because they come every few seconds, and their 503 is no failure. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

type RequestLine = { method: string; path: string; status: number; ms: number; userId: string | null }

/** Logs an unexpected error whole, one of the mail server by its codes, and an outage on a line of its own. */
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
