import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { type Body, createBody, createListBodies, errorAnswer, sendBody } from './answers'
import { type Connection, createFaultSwitch, damageAnswer, type Fault, type Sleep } from './faults'
import { createRateLimit } from './rate-limit'
import { type Clock, type Endpoint, endpointPaths, type Limits, specifiedLimits } from './specification'
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

/** A request is checked in this order: path (404), method (405), token (401), limits (429), permission (403), school (404). */
export function createReferenceService(options: ReferenceServiceOptions) {
  const { source, limits = specifiedLimits, clock = Date.now, basePath = '', requestLogSize = 10_000 } = options
  const rateLimit = createRateLimit({ limits, clock })
  const faults = createFaultSwitch(options.faults ?? [])
  const requests: LoggedRequest[] = []
  const listBody = createListBodies()
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal, ref: false }))
  const app = new Hono<{ Bindings: { entry: LoggedRequest; connection?: Connection } }>()

  for (const [endpoint, path] of Object.entries(endpointPaths) as [Endpoint, string][]) {
    app.all(basePath + path, async ({ req: { raw: request }, env: { entry, connection } }) => {
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
      const asked = current.length > 0 ? new Request(request.url) : request
      const data = source.current()
      let body: Body | null
      if (endpoint === 'highSchool') {
        const ids = new URL(request.url).searchParams.getAll('id')
        // A parameter that is given twice names no school, because either one would be a guess.
        const school = listInScope(data, 'highSchools', schools).find(({ id }) => ids.length === 1 && id === ids[0])
        body = school ? createBody({ name: school.name, id: school.id }) : null
      } else {
        const isEmpty = current.some(({ name }) => name === 'empty-list')
        body = isEmpty ? createBody({ [endpoint]: [] }) : listBody(data, endpoint, schools)
      }
      let response = body === null ? errorAnswer(404) : await sendBody(body, asked)
      for (const fault of current) {
        if (fault.name !== 'empty-list') response = await damageAnswer(response, fault, { request, sleep, connection })
      }
      return response
    })
  }
  app.notFound(() => errorAnswer(404))
  app.onError((error, { req }) => {
    if (req.raw.signal.aborted) throw error
    process.emitWarning(error)
    return errorAnswer(500)
  })

  return {
    async handle(request: Request, connection?: Connection): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const path = pathname + search
      const entry: LoggedRequest = { at: clock(), method: request.method, path, token: null, status: null }
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
  at: number
  method: string
  path: string
  token: string | null
  /** The status is null until the request is answered. */
  status: number | null
}
