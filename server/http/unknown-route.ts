import 'server-only'
import { NotFoundError } from '@/server/errors'
import { errorResponse } from '@/server/http/error-response'

/** A path nobody answers, in the shape of every other error. */
export function unknownRoute(): Response {
  return errorResponse(new NotFoundError())
}
