import { Hono } from 'hono'
import { createBody, createErrorResponse, createListBodyCache, respondWithBody } from './answers'
import { createRateLimit } from './rate-limit'
import { type Clock, type Endpoint, ENDPOINT_PATHS, type Limits, SPECIFIED_LIMITS } from './specification'
import { authenticate, type DataSource, listInScope } from './store'

export type ReferenceServiceOptions = {
  source: DataSource
  limits?: Limits
  clock?: Clock
  /** The prefix of all paths, such as `/v1`. */
  basePath?: string
  requestLogSize?: number
}

/** Checks a request in this order: path (404), method (405), token (401), limits (429), scope (403), school (404). */
export function createReferenceService(options: ReferenceServiceOptions) {
  const { source, limits = SPECIFIED_LIMITS, clock = Date.now, basePath = '', requestLogSize = 10_000 } = options
  const rateLimit = createRateLimit({ limits, clock })
  const requests: LoggedRequest[] = []
  const listBody = createListBodyCache()
  const app = new Hono<{ Bindings: { entry: LoggedRequest } }>()

  for (const [endpoint, path] of Object.entries(ENDPOINT_PATHS) as [Endpoint, string][]) {
    app.all(basePath + path, ({ req: { raw: request }, env: { entry } }) => {
      // Hono drops the body of a HEAD's answer.
      if (request.method !== 'GET' && request.method !== 'HEAD') return createErrorResponse(405, { allow: 'GET, HEAD' })
      const caller = authenticate(request.headers.get('authorization'), source.tokens())
      if (!caller) return createErrorResponse(401)
      entry.token = caller.grant.label
      const verdict = rateLimit.countCall(caller.token)
      if (!verdict.isAccepted) return createErrorResponse(429, { 'retry-after': String(verdict.retryAfterSeconds) })
      const { schools } = caller.grant
      if (schools === 'none') return createErrorResponse(403)

      const data = source.current()
      if (endpoint !== 'highSchool') return respondWithBody(listBody(data, endpoint, schools), request)
      // A repeated parameter names no school, because either value would be a guess.
      const [id, ...moreIds] = new URL(request.url).searchParams.getAll('id')
      const school = listInScope(data, 'highSchools', schools).find((one) => one.id === id)
      if (!school || moreIds.length > 0) return createErrorResponse(404)
      return respondWithBody(createBody({ name: school.name, id: school.id }), request)
    })
  }
  app.notFound(() => createErrorResponse(404))

  return {
    async handle(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const path = pathname + search
      const entry: LoggedRequest = { receivedAt: clock(), method: request.method, path, token: null, status: null }
      if (requests.push(entry) > requestLogSize) requests.shift()
      const response = await app.fetch(request, { entry })
      entry.status = response.status
      return response
    },
    requests: requests as readonly LoggedRequest[],
  }
}

type LoggedRequest = {
  receivedAt: number
  method: string
  path: string
  token: string | null
  /** The status is null until the request is answered. */
  status: number | null
}
