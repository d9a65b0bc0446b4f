import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { createBody, createErrorResponse, createListBodyCache, type EncodedBody, respondWithBody } from './answers'
import { type Connection, createFaultSwitch, damageAnswer, type Fault, type Sleep } from './faults'
import { createRateLimit } from './rate-limit'
import { type Clock, type Endpoint, ENDPOINT_PATHS, type Limits, SPECIFIED_LIMITS } from './specification'
import { authenticate, type DataSource, listInScope } from './store'

export type ReferenceServiceOptions = {
  source: DataSource
  limits?: Limits
  clock?: Clock
  /** The prefix of all paths, such as `/v1`. */
  basePath?: string
  faults?: readonly Fault[]
  sleep?: Sleep
  requestLogSize?: number
}

export type ReferenceService = ReturnType<typeof createReferenceService>

/** Checks a request in this order: path (404), method (405), token (401), limits (429), scope (403), school (404). */
export function createReferenceService(options: ReferenceServiceOptions) {
  const { source, limits = SPECIFIED_LIMITS, clock = Date.now, basePath = '', requestLogSize = 10_000 } = options
  const rateLimit = createRateLimit({ limits, clock })
  const faults = createFaultSwitch(options.faults ?? [])
  const requests: LoggedRequest[] = []
  const listBody = createListBodyCache()
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal, ref: false }))
  const app = new Hono<{ Bindings: { entry: LoggedRequest; connection?: Connection } }>()

  for (const [endpoint, path] of Object.entries(ENDPOINT_PATHS) as [Endpoint, string][]) {
    app.all(basePath + path, async ({ req: { raw: request }, env: { entry, connection } }) => {
      // Hono drops the body of a HEAD's answer.
      if (request.method !== 'GET' && request.method !== 'HEAD') return createErrorResponse(405, { allow: 'GET, HEAD' })
      const caller = authenticate(request.headers.get('authorization'), source.tokens())
      if (!caller) return createErrorResponse(401)
      entry.token = caller.grant.label
      const verdict = rateLimit.countCall(caller.token)
      if (!verdict.isAccepted) return createErrorResponse(429, { 'retry-after': String(verdict.retryAfterSeconds) })
      const { schools } = caller.grant
      if (schools === 'none') return createErrorResponse(403)

      const activeFaults = faults.consumeFaults(endpoint)
      // A fault ignores the request's conditions and encodings, because it damages a whole, plain body.
      const plainRequest = activeFaults.length > 0 ? new Request(request.url) : request
      const data = source.current()
      let body: EncodedBody | null
      if (endpoint === 'highSchool') {
        const ids = new URL(request.url).searchParams.getAll('id')
        // A repeated parameter names no school, because either value would be a guess.
        const school = listInScope(data, 'highSchools', schools).find(({ id }) => ids.length === 1 && id === ids[0])
        body = school ? createBody({ name: school.name, id: school.id }) : null
      } else {
        const isEmpty = activeFaults.some(({ kind }) => kind === 'empty-list')
        body = isEmpty ? createBody({ [endpoint]: [] }) : listBody(data, endpoint, schools)
      }
      let response = body === null ? createErrorResponse(404) : await respondWithBody(body, plainRequest)
      for (const fault of activeFaults) {
        if (fault.kind !== 'empty-list') response = await damageAnswer(response, fault, { request, sleep, connection })
      }
      return response
    })
  }
  app.notFound(() => createErrorResponse(404))
  app.onError((error, { req }) => {
    if (req.raw.signal.aborted) throw error
    process.emitWarning(error)
    return createErrorResponse(500)
  })

  return {
    async handle(request: Request, connection?: Connection): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const path = pathname + search
      const entry: LoggedRequest = { receivedAt: clock(), method: request.method, path, token: null, status: null }
      if (requests.push(entry) > requestLogSize) requests.shift()
      const response = await app.fetch(request, connection ? { entry, connection } : { entry })
      entry.status = response.status
      return response
    },
    setFaults: faults.set,
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
