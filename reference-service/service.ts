import { Hono } from 'hono'
import { createBody, createErrorResponse, createListBodyCache, respondWithBody } from './answers'
import type { Handle } from './http-server'
import { createRateLimit } from './rate-limit'
import { type Clock, type Endpoint, ENDPOINT_PATHS, type RateLimits, SPECIFIED_RATE_LIMITS } from './specification'
import { authenticate, type DataSource, listInScope } from './store'

export type ReferenceServiceOptions = {
  source: DataSource
  limits?: RateLimits
  clock?: Clock
  /** The prefix of all paths, such as `/v1`. */
  basePath?: string
}

/** Checks a request in this order: path (404), method (405), token (401), limits (429), scope (403), school (404). */
export function createReferenceService(options: ReferenceServiceOptions): Handle {
  const { source, limits = SPECIFIED_RATE_LIMITS, clock = Date.now, basePath = '' } = options
  const rateLimit = createRateLimit({ limits, clock })
  const listBody = createListBodyCache()
  const app = new Hono()

  for (const [endpoint, path] of Object.entries(ENDPOINT_PATHS) as [Endpoint, string][]) {
    app.all(basePath + path, ({ req: { raw: request } }) => {
      // Hono drops the body of a HEAD's answer.
      if (request.method !== 'GET' && request.method !== 'HEAD') return createErrorResponse(405, { allow: 'GET, HEAD' })
      const caller = authenticate(request.headers.get('authorization'), source.tokens())
      if (!caller) return createErrorResponse(401)
      const verdict = rateLimit.countCall(caller.token)
      if (!verdict.isAccepted) return createErrorResponse(429, { 'retry-after': String(verdict.retryAfterSeconds) })
      const { scope } = caller
      if (scope === 'none') return createErrorResponse(403)

      const data = source.current()
      if (endpoint !== 'highSchool') return respondWithBody(listBody(data, endpoint, scope), request)
      const id = new URL(request.url).searchParams.get('id')
      const school = listInScope(data, 'highSchools', scope).find((highSchool) => highSchool.id === id)
      if (!school) return createErrorResponse(404)
      return respondWithBody(createBody({ name: school.name, id: school.id }), request)
    })
  }
  app.notFound(() => createErrorResponse(404))
  app.onError((error) => {
    process.emitWarning(error)
    return createErrorResponse(500)
  })
  return async (request) => app.fetch(request)
}
