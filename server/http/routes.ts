import 'server-only'
import type { NextRequest } from 'next/server'
import type { z } from 'zod'
import { type Endpoint, type Method, METHODS, type Permission } from '@/lib/contract/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '@/lib/contract/endpoints'
import { AUTOMATIC_HEADER } from '@/lib/contract/headers'
import { encodeSessionCookie, RENEW_AFTER_MS, type Session } from '@/server/access/session-cookie'
import { requireRecentProof } from '@/server/access/step-up'
import { type Allowed, requirePermission, type Viewer } from '@/server/access/viewer'
import { authenticate } from '@/server/access/viewer-cache'
import { toPattern } from '@/server/base/counters'
import { ForbiddenError, NotFoundError, SecondFactorMissingError, UnauthenticatedError } from '@/server/base/errors'
import { privateHeaders } from '@/server/base/private-headers'
import { getServices, type Services } from '@/server/base/services'
import { getReadiness } from './health'
import { createInputReader } from './input'
import { requireSameOrigin } from './origin'
import { errorResponse, HttpError, jsonResponse, logRequest } from './responses'

/** Creates the handlers of a route file: each verb behind its endpoint's checks, and 405 for other methods. */
export function createRoutes<P extends Path>(path: P, verbs: Verbs<P>): Handlers {
  const pattern = toPattern(path)
  const verbByMethod: Partial<Record<string, AnyVerb>> = verbs
  return mapMethods((method) => {
    const verb = verbByMethod[method]
    if (verb !== undefined)
      return createEndpointHandler(endpoints[`${method} ${path}` as EndpointName], { pattern, method }, verb)
    return createHandler({ pattern, method }, () => Promise.reject(new HttpError(405, 'Method Not Allowed')))
  })
}

export const unknownRoutes: Handlers = mapMethods((method) =>
  createHandler({ pattern: 'other', method }, () => Promise.reject(new NotFoundError())),
)

function mapMethods(createHandlerFor: (method: Method | 'OPTIONS') => Handler): Handlers {
  return Object.fromEntries(
    [...METHODS, 'OPTIONS' as const].map((method) => [method, createHandlerFor(method)]),
  ) as Handlers
}

/** The declaration is read here and not per request, so that a request costs only what its endpoint needs. */
export function createEndpointHandler(endpoint: Endpoint, route: RouteInfo, verb: AnyVerb): Handler {
  if (endpoint.hasOwnHandler)
    return async (request, context) => verb(getServices(), request, context) as Promise<Response>
  const { who: permission, enrolling, proof } = endpoint
  const readInput = createInputReader(endpoint)
  if (permission === 'anyone')
    return createHandler(route, async (services, request, { context }) =>
      toResponse(await verb(services, null, await readInput(request, context.params), { request })),
    )
  return createHandler(route, async (services, request, call) => {
    const found = await authenticate(services, request)
    if (!found) throw new UnauthenticatedError()
    const { session, viewer } = found
    call.userId = viewer.id
    if (viewer.mustEnrol && enrolling !== true) throw new SecondFactorMissingError()
    if (permission !== 'signed-in') requirePermission<Permission>(viewer, permission)
    if (proof) await requireRecentProof(services, session)
    const input = await readInput(request, call.context.params)
    const response = toResponse(await verb(services, viewer, input, { request, session }))
    // Automatic requests (polling and the event stream) do not extend the session.
    const isAutomatic = request.headers.has(AUTOMATIC_HEADER) || request.headers.get('accept') === 'text/event-stream'
    if (isAutomatic) return response
    const { env, now, sessions, viewers } = services
    sessions.recordUse(session.id)
    if (now() - session.issuedAtMs < RENEW_AFTER_MS) return response
    // The cookie is not renewed if the session has ended meanwhile, or it would overwrite that of a later sign-in.
    const cookie = await encodeSessionCookie(session, env)
    const isStillValid = (await viewers.find(session).catch(() => null)) !== null
    if (isStillValid) response.headers.append('set-cookie', cookie)
    return response
  })
}

function createHandler({ pattern, method }: RouteInfo, answer: RequestHandler): Handler {
  const isChange = method !== 'GET' && method !== 'OPTIONS'
  return async (request, context) => {
    const services = getServices()
    // Next queues requests during the start and releases them together, so the phase is checked per request.
    if (services.lifecycle.isStarting()) return getReadiness(services)
    const { logger, logRefusal } = services
    const startedAt = performance.now()
    const call: RouteCall = { context, userId: null }
    const failure: { err?: unknown } = {}
    const handle = async () => {
      requireSameOrigin(services, request)
      return answer(services, request, call)
    }
    const response = await handle().catch((err: unknown) => {
      failure.err = err
      return errorResponse(err, { isChange })
    })
    const { userId } = call
    if (failure.err instanceof ForbiddenError && userId !== null) logRefusal(userId, request.method, pattern)
    const ms = Math.round(performance.now() - startedAt)
    logRequest(logger, { method: request.method, path: pattern, status: response.status, ms, userId }, failure)
    return response
  }
}

function toResponse(result: unknown): Response {
  if (!(result instanceof Response)) return jsonResponse(result ?? {})
  for (const [name, value] of Object.entries(privateHeaders)) {
    if (!result.headers.has(name)) result.headers.set(name, value)
  }
  return result
}

type RouteContext = { params: Promise<unknown> }
/** `userId` is set for the log once the request's user is known. */
type RouteCall = { context: RouteContext; userId: string | null }
type RequestHandler = (services: Services, request: Request, call: RouteCall) => Promise<Response>
type Handler = (request: Request, context: RouteContext) => Promise<Response>
type Handlers = Record<Method | 'OPTIONS', Handler>

/** The log contains only the pattern of a path, because an id or a search can identify a person. */
type RouteInfo = { pattern: string; method: Method | 'OPTIONS' }

/** Any verb; `Verbs` has checked its type. It is a method, because TypeScript compares their parameters both ways. */
type AnyVerb = { verb(services: Services, ...args: unknown[]): unknown }['verb']

type Path = EndpointName extends `${Method} ${infer P}` ? P : never
type MatchingEndpoint<M extends Method, P extends Path> = Extract<EndpointName, `${M} ${P}`>

/** The functions behind a path, one for each method that is declared for it. */
export type Verbs<P extends Path> = {
  [M in Method as MatchingEndpoint<M, P> extends never ? never : M]: Verb<Endpoints[MatchingEndpoint<M, P>]>
}

/** A verb's parameters and result follow from its endpoint's declaration. One that is `hasOwnHandler` gets the bare request. */
export type Verb<E extends Endpoint> = E extends { hasOwnHandler: true }
  ? (services: Services, request: NextRequest, context: { params: Promise<ParsedPart<E, 'params'>> }) => VerbResult<E>
  : (services: Services, viewer: ViewerFor<E>, input: Input<E>, call: VerbContext<E>) => VerbResult<E>

type ViewerFor<E extends Endpoint> = E['who'] extends Permission
  ? Allowed<E['who']>
  : E['who'] extends 'signed-in'
    ? Viewer
    : null
type ParsedPart<E, Part extends string> = E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : unknown
type Input<E> = ParsedPart<E, 'params'> & ParsedPart<E, 'query'> & ParsedPart<E, 'body'>
type VerbContext<E extends Endpoint> = { request: Request } & (E['who'] extends 'anyone'
  ? unknown
  : { session: Session })
type VerbResult<E> = Response | Answer<E> | Promise<Response | Answer<E>>
type Answer<E> = E extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : E extends { responseTypes: unknown }
    ? never
    : void
