import 'server-only'
import type { NextRequest } from 'next/server'
import type { z } from 'zod'
import { type Endpoint, type Method, METHODS, type Permission } from '@/lib/contract/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '@/lib/contract/endpoints'
import { AUTOMATIC_HEADER } from '@/lib/contract/headers'
import { authenticate } from '@/server/access/viewer-cache'
import { type Session, RENEW_AFTER_MS, encodeSessionCookie } from '@/server/access/session-cookie'
import { requireRecentProof } from '@/server/access/step-up'
import { type Allowed, type Viewer, requirePermission } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, SecondFactorMissingError, UnauthenticatedError } from '@/server/base/errors'
import { getReadiness } from '@/server/http/health'
import { toPattern } from '@/server/base/counters'
import { type Services, getServices } from '@/server/base/services'
import { createInputReader } from './input'
import { requireSameOrigin } from './origin'
import { logRequest, errorResponse, HttpError, jsonResponse } from './responses'
import { privateHeaders } from '@/server/base/private-headers'

type Path = EndpointName extends `${Method} ${infer P}` ? P : never
type MatchingEndpoint<M extends Method, P extends Path> = Extract<EndpointName, `${M} ${P}`>

export type Verb<E extends Endpoint> = E extends { apart: true }
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
  : E extends { content: unknown }
    ? never
    : void

export type Verbs<P extends Path> = {
  [M in Method as MatchingEndpoint<M, P> extends never ? never : M]: Verb<Endpoints[MatchingEndpoint<M, P>]>
}

type RouteContext = { params: Promise<unknown> }
/** `userId` is set once the request's user is known, for the log. */
type RouteCall = { context: RouteContext; userId: string | null }
type RequestHandler = (services: Services, request: Request, call: RouteCall) => Promise<Response>
type Handler = (request: Request, context: RouteContext) => Promise<Response>
type Handlers = Record<Method | 'OPTIONS', Handler>

/** What Next exports for a path: each verb behind its declaration's checks, and 405 for other methods. */
export function createRoutes<P extends Path>(path: P, verbs: Verbs<P>): Handlers {
  const pattern = toPattern(path)
  const own: Partial<Record<string, AnyVerb>> = verbs
  return mapMethods((method) => {
    const verb = own[method]
    if (verb !== undefined)
      return createEndpointHandler(endpoints[`${method} ${path}` as EndpointName], { pattern: pattern, method }, verb)
    return createHandler({ pattern: pattern, method }, () => Promise.reject(new HttpError(405, 'Method Not Allowed')))
  })
}

/** `Verbs` checks that a verb fits: a method's parameters are compared both ways. */
type AnyVerb = { verb(services: Services, ...given: unknown[]): unknown }['verb']

function mapMethods(make: (method: Method | 'OPTIONS') => Handler): Handlers {
  return Object.fromEntries([...METHODS, 'OPTIONS' as const].map((method) => [method, make(method)])) as Handlers
}

export const unknownRoutes: Handlers = mapMethods((method) =>
  createHandler({ pattern: 'other', method }, () => Promise.reject(new NotFoundError())),
)

/** The declaration is read once, so that a request costs only what its endpoint asks for. */
export function createEndpointHandler(endpoint: Endpoint, route: RouteInfo, verb: AnyVerb): Handler {
  if (endpoint.apart) return async (request, context) => verb(getServices(), request, context) as Promise<Response>
  const { who: permission, enrolling, proof } = endpoint
  const read = createInputReader(endpoint)
  if (permission === 'anyone')
    return createHandler(route, async (services, request, { context }) =>
      toResponse(await verb(services, null, await read(request, context.params), { request })),
    )
  return createHandler(route, async (services, request, call) => {
    const found = await authenticate(services, request)
    if (!found) throw new UnauthenticatedError()
    const { session, viewer } = found
    call.userId = viewer.id
    if (viewer.mustEnrol && enrolling !== true) throw new SecondFactorMissingError()
    if (permission !== 'signed-in') requirePermission<Permission>(viewer, permission)
    if (proof) await requireRecentProof(services, session)
    const input = await read(request, call.context.params)
    const response = toResponse(await verb(services, viewer, input, { request, session }))
    // What a page asks for by itself keeps no session alive.
    const isAutomatic = request.headers.has(AUTOMATIC_HEADER) || request.headers.get('accept') === 'text/event-stream'
    if (isAutomatic) return response
    const { env, now, sessions, viewers } = services
    sessions.recordUse(session.id)
    if (now() - session.issuedAtMs < RENEW_AFTER_MS) return response
    // The session rolls. If it ended meanwhile, the cookie stays as a later sign-in left it.
    const cookie = await encodeSessionCookie(session, env)
    const isStillValid = (await viewers.find(session).catch(() => null)) !== null
    if (isStillValid) response.headers.append('set-cookie', cookie)
    return response
  })
}

/** `label` is the path's pattern: the log gets nothing else, since an id or a search can identify a person. */
type RouteInfo = { pattern: string; method: Method | 'OPTIONS' }

function createHandler({ pattern: pattern, method }: RouteInfo, answer: RequestHandler): Handler {
  const isChange = method !== 'GET' && method !== 'OPTIONS'
  return async (request, context) => {
    const services = getServices()
    // Next holds requests while it starts and lets them in at once, so it is asked now.
    if (services.lifecycle.isStarting()) return getReadiness(services)
    const { logger, logRefusal: refusals } = services
    const startedAt = performance.now()
    const call: RouteCall = { context, userId: null }
    const failure: { err?: unknown } = {}
    const answering = async () => {
      requireSameOrigin(services, request)
      return answer(services, request, call)
    }
    const response = await answering().catch((err: unknown) => {
      failure.err = err
      return errorResponse(err, { isChange })
    })
    const { userId } = call
    if (failure.err instanceof ForbiddenError && userId !== null) refusals(userId, request.method, pattern)
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
