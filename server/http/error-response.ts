import 'server-only'
import { isDatabaseUnreachable } from '@/server/db/is-unreachable'
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  NotReadyError,
  UnauthenticatedError,
} from '@/server/errors'
import { HttpError } from './http-error'
import { jsonResponse } from './json-response'

/** The one place where an error becomes an answer. What nobody foresaw is a 500 that tells nothing. */
export function errorResponse(error: unknown): Response {
  if (error instanceof NotReadyError) return unavailable(error.message, error.retryAfterSeconds)
  const status = statusOf(error)
  if (status !== null && error instanceof Error) return jsonResponse({ error: error.message }, status)
  if (isDatabaseUnreachable(error)) return unavailable('The database cannot be reached', 5)
  return jsonResponse({ error: 'Internal Server Error' }, 500)
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpError) return error.status
  if (error instanceof InvalidInputError) return 400
  if (error instanceof UnauthenticatedError) return 401
  if (error instanceof ForbiddenError) return 403
  if (error instanceof NotFoundError) return 404
  if (error instanceof ConflictError) return 409
  return null
}

function unavailable(message: string, retryAfterSeconds: number): Response {
  return jsonResponse({ error: message }, 503, { 'retry-after': String(retryAfterSeconds) })
}
