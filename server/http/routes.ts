import { type Endpoint, type Method, METHODS, type Permission } from '@/lib/contract/endpoint'
import { type EndpointName, endpoints } from '@/lib/contract/endpoints'
import { AUTOMATIC_HEADER } from '@/lib/contract/headers'
import { serializeSessionCookie, COOKIE_RENEW_AFTER_MS, type Session } from '@/server/access/session-cookie'
import { requireRecentProof } from '@/server/access/step-up'
import { requirePermission } from '@/server/access/viewer'
import { authenticate } from '@/server/access/viewer-cache'
import { toRoutePattern } from '@/server/base/counters'
import { ForbiddenError, NotFoundError, SecondFactorMissingError, UnauthenticatedError } from '@/server/base/errors'
import { PRIVATE_HEADERS } from '@/server/base/private-headers'
import { getServices, type Services } from '@/server/base/services'
import { getReadiness } from './health'
import { createInputReader } from './input'
import { requireSameOrigin } from './origin'
import { createErrorResponse, HttpError, createJsonResponse, logRequest } from './responses'
import type { AnyVerb, Path, Verbs } from './verb'

type RouteContext = { params: Promise<unknown> }
type Handler = (request: Request, context: RouteContext) => Promise<Response>
type Handlers = Record<Method | 'OPTIONS', Handler>

/** The log has only the pattern of a path, because an id or a search can identify a person. */
type Route = { pattern: string; method: Method | 'OPTIONS' }

/** Creates the handlers of a route file: verbs behind the checks of their endpoints, and 405 for other methods. */
export function serve<P extends Path>(path: P, verbs: Verbs<P>): Handlers {
  const pattern = toRoutePattern(path)
  const verbByMethod: Partial<Record<string, AnyVerb>> = verbs
  return mapMethods((method) => {
    const route = { pattern, method }
    const verb = verbByMethod[method]
    if (verb !== undefined) return createEndpointHandler(endpoints[`${method} ${path}` as EndpointName], route, verb)
    return createHandler(route, () => Promise.reject(new HttpError(405, 'Method Not Allowed')))
  })
}

export const unknownRoutes: Handlers = mapMethods((method) =>
  createHandler({ pattern: 'other', method }, () => Promise.reject(new NotFoundError())),
)

function mapMethods(createHandlerFor: (method: Method | 'OPTIONS') => Handler): Handlers {
  const methods = [...METHODS, 'OPTIONS'] as const
  return Object.fromEntries(methods.map((method) => [method, createHandlerFor(method)])) as Handlers
}

/** The handler makes the checks that the endpoint declares. With `hasOwnHandler` the verb makes its own. */
export function createEndpointHandler(endpoint: Endpoint, route: Route, verb: AnyVerb): Handler {
  if (endpoint.hasOwnHandler)
    return async (request, context) => verb(getServices(), request, context) as Promise<Response>
  const { who, enrolling, proof } = endpoint
  const readInput = createInputReader(endpoint)
  return createHandler(route, async (services, request, { params }, caller) => {
    if (who === 'anyone') return toResponse(await verb(services, null, await readInput(request, params), { request }))
    const identity = await authenticate(services, request)
    if (!identity) throw new UnauthenticatedError()
    const { session, viewer } = identity
    caller.userId = viewer.id
    if (viewer.mustEnrol && enrolling !== true) throw new SecondFactorMissingError()
    if (who !== 'signed-in') requirePermission<Permission>(viewer, who)
    if (proof) await requireRecentProof(services, session)
    const input = await readInput(request, params)
    const response = toResponse(await verb(services, viewer, input, { request, session }))
    // Polling and the event stream do not extend the session.
    const isAutomatic = request.headers.has(AUTOMATIC_HEADER) || request.headers.get('accept') === 'text/event-stream'
    if (!isAutomatic) await extendSession(services, session, response)
    return response
  })
}

async function extendSession({ env, now, sessions, viewers }: Services, session: Session, response: Response) {
  sessions.recordUse(session.id)
  if (now() - session.issuedAtMs < COOKIE_RENEW_AFTER_MS) return
  const cookie = await serializeSessionCookie(session, env)
  // A session that has ended meanwhile gets no cookie, because it would overwrite that of a later sign-in.
  const viewer = await viewers.find(session).catch(() => null)
  if (viewer !== null) response.headers.append('set-cookie', cookie)
}

/** The user is null until a request is authenticated. */
type Caller = { userId: string | null }
type Respond = (services: Services, request: Request, context: RouteContext, caller: Caller) => Promise<Response>

/** Checks origin and start-up phase, maps errors to responses, and logs. `respond` enters the user in `caller`. */
function createHandler({ pattern, method }: Route, respond: Respond): Handler {
  const isChange = method !== 'GET' && method !== 'OPTIONS'
  return async (request, context) => {
    const services = getServices()
    // Next queues requests during the start and releases them together, so the phase is checked per request.
    if (services.lifecycle.isStarting()) return getReadiness(services)
    const startedAt = performance.now()
    const caller: Caller = { userId: null }
    const failure: { err?: unknown } = {}
    const handle = async () => {
      requireSameOrigin(services, request)
      return respond(services, request, context, caller)
    }
    const response = await handle().catch((err: unknown) => {
      failure.err = err
      return createErrorResponse(err, { isChange })
    })
    const { userId } = caller
    if (failure.err instanceof ForbiddenError && userId !== null) services.logRefusal(userId, request.method, pattern)
    const ms = Math.round(performance.now() - startedAt)
    const line = { method: request.method, path: pattern, status: response.status, ms, userId }
    logRequest(services.logger, line, failure)
    return response
  }
}

function toResponse(result: unknown): Response {
  if (!(result instanceof Response)) return createJsonResponse(result ?? {})
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) {
    if (!result.headers.has(name)) result.headers.set(name, value)
  }
  return result
}
