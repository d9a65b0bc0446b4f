import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { BrokenConnectionError, type Connection, type Sleep, damageAnswer } from './faults/damage-answer'
import { type Fault, isListFault } from './faults/fault'
import { createFaultSwitch } from './faults/fault-switch'
import { createAnswer } from './http/answer'
import { authenticate } from './http/authenticate'
import { endpointPaths, endpoints } from './http/endpoints'
import { errorAnswer } from './http/errors'
import { createRateLimit } from './http/rate-limit'
import { type LoggedRequest, createRequestLog } from './http/request-log'
import { type Clock, type DataSource, type Limits, specifiedLimits } from './model'

export type ReferenceServiceOptions = {
  source: DataSource
  limits?: Limits
  clock?: Clock
  /** What stands before `/external`, such as `/v1`. */
  basePath?: string
  faults?: readonly Fault[]
  sleep?: Sleep
  /** How many requests `requests` remembers. */
  requestLogSize?: number
}

export type ReferenceService = {
  handle(request: Request, connection?: Connection): Promise<Response>
  setFaults(faults: readonly Fault[]): void
  /** The newest requests, oldest first. */
  readonly requests: readonly LoggedRequest[]
  clearRequests(): void
}

/**
 * The external service as its specification describes it. A request is checked in this order: path (404), method (405),
 * token (401), limits (429; every authenticated call counts, whatever its answer), permission (403), school (404).
 */
export function createReferenceService(options: ReferenceServiceOptions): ReferenceService {
  const { source, limits = specifiedLimits, clock = Date.now, basePath = '', requestLogSize = 10_000 } = options
  const rateLimit = createRateLimit({ limits, clock })
  const faults = createFaultSwitch(options.faults ?? [])
  const log = createRequestLog(requestLogSize)
  const answer = createAnswer(source)
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal, ref: false }))
  const app = new Hono<{ Bindings: { entry: LoggedRequest; connection?: Connection } }>()

  for (const endpoint of endpoints) {
    app.all(basePath + endpointPaths[endpoint], async ({ req: { raw: request }, env: { entry, connection } }) => {
      // Hono drops the body of a HEAD's answer.
      if (request.method !== 'GET' && request.method !== 'HEAD') return errorAnswer(405, { allow: 'GET, HEAD' })
      const caller = authenticate(request.headers.get('authorization'), source.tokens())
      if (!caller) return errorAnswer(401)
      entry.token = caller.grant.label
      const verdict = rateLimit.take(caller.token)
      if (!verdict.accepted) return errorAnswer(429, { 'retry-after': String(verdict.retryAfterSeconds) })
      const { schools } = caller.grant
      if (schools === 'none') return errorAnswer(403)

      const current = faults.take(endpoint)
      let response = await answer(endpoint, schools, request, current)
      for (const fault of current) {
        if (!isListFault(fault)) response = await damageAnswer(response, fault, { request, sleep, connection })
      }
      return response
    })
  }
  app.notFound(() => errorAnswer(404))
  app.onError((error, { req }) => {
    if (error instanceof BrokenConnectionError || req.raw.signal.aborted) throw error
    process.emitWarning(error)
    return errorAnswer(500)
  })

  return {
    async handle(request, connection) {
      const { pathname, search } = new URL(request.url)
      const entry = log.add({ at: clock(), method: request.method, path: pathname + search, token: null, status: null })
      const response = await app.fetch(request, connection ? { entry, connection } : { entry })
      entry.status = response.status
      return response
    },
    setFaults: faults.set,
    requests: log.entries,
    clearRequests: log.clear,
  }
}
