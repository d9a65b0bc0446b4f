import 'server-only'
import type { NextRequest } from 'next/server'
import type { z } from 'zod'
import { type Endpoint, type Method, METHODS, type Permission } from '@/lib/contract/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '@/lib/contract/endpoints'
import { AUTOMATIC_HEADER } from '@/lib/contract/headers'
import { signedIn } from '@/server/access/session'
import { type Session, RENEW_AFTER_MS, renewedSessionCookie } from '@/server/access/session-cookie'
import { requireProof } from '@/server/access/step-up'
import { type Allowed, type Viewer, allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, SecondFactorMissingError, UnauthenticatedError } from '@/server/base/errors'
import { ready } from '@/server/http/health'
import { toPattern } from '@/server/base/counters'
import { type Services, services } from '@/server/base/services'
import { inputReader } from './input'
import { requireSameOrigin } from './origin'
import { logRequest, errorResponse, HttpError, jsonResponse } from './responses'
import { privateHeaders } from '@/server/base/private-headers'

type Path = EndpointName extends `${Method} ${infer P}` ? P : never
type Named<M extends Method, P extends Path> = Extract<EndpointName, `${M} ${P}`>

export type Verb<E extends Endpoint> = E extends { apart: true }
  ? (services: Services, request: NextRequest, context: { params: Promise<Given<E, 'params'>> }) => Sent<E>
  : (services: Services, viewer: Asking<E>, input: Input<E>, call: Call<E>) => Sent<E>

type Asking<E extends Endpoint> = E['who'] extends Permission
  ? Allowed<E['who']>
  : E['who'] extends 'signed-in'
    ? Viewer
    : null
type Given<E, Part extends string> = E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : unknown
type Input<E> = Given<E, 'params'> & Given<E, 'query'> & Given<E, 'body'>
type Call<E extends Endpoint> = { request: Request } & (E['who'] extends 'anyone' ? unknown : { session: Session })
type Sent<E> = Response | Answer<E> | Promise<Response | Answer<E>>
type Answer<E> = E extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : E extends { content: unknown }
    ? never
    : void

export type Verbs<P extends Path> = {
  [M in Method as Named<M, P> extends never ? never : M]: Verb<Endpoints[Named<M, P>]>
}

type Context = { params: Promise<unknown> }
/** `userId` is set once the request's user is known, for the log. */
type RouteCall = { context: Context; userId: string | null }
type Answering = (parts: Services, request: Request, call: RouteCall) => Promise<Response>
type Handler = (request: Request, context: Context) => Promise<Response>
type Handlers = Record<Method | 'OPTIONS', Handler>

/** What Next exports for a path: each verb behind its declaration's checks, and 405 for other methods. */
export function routes<P extends Path>(path: P, verbs: Verbs<P>): Handlers {
  const label = toPattern(path)
  const own: Partial<Record<string, AnyVerb>> = verbs
  return forEachMethod((method) => {
    const verb = own[method]
    if (verb !== undefined) return createRoute(endpoints[`${method} ${path}` as EndpointName], { label, method }, verb)
    return createHandler({ label, method }, () => Promise.reject(new HttpError(405, 'Method Not Allowed')))
  })
}

/** `Verbs` checks that a verb fits: a method's parameters are compared both ways. */
type AnyVerb = { verb(services: Services, ...given: unknown[]): unknown }['verb']

function forEachMethod(make: (method: Method | 'OPTIONS') => Handler): Handlers {
  return Object.fromEntries([...METHODS, 'OPTIONS' as const].map((method) => [method, make(method)])) as Handlers
}

export const unknownRoutes: Handlers = forEachMethod((method) =>
  createHandler({ label: 'other', method }, () => Promise.reject(new NotFoundError())),
)

/** The declaration is read once, so that a request costs only what its endpoint asks for. */
export function createRoute(endpoint: Endpoint, at: Place, verb: AnyVerb): Handler {
  if (endpoint.apart) return async (request, context) => verb(services(), request, context) as Promise<Response>
  const { who: needed, enrolling, proof } = endpoint
  const read = inputReader(endpoint)
  if (needed === 'anyone')
    return createHandler(at, async (parts, request, { context }) =>
      toResponse(await verb(parts, null, await read(request, context.params), { request })),
    )
  return createHandler(at, async (parts, request, call) => {
    const found = await signedIn(parts, request)
    if (!found) throw new UnauthenticatedError()
    const { session, viewer } = found
    call.userId = viewer.id
    if (viewer.mustEnrol && enrolling !== true) throw new SecondFactorMissingError()
    if (needed !== 'signed-in') allow<Permission>(viewer, needed)
    if (proof) await requireProof(parts, session)
    const input = await read(request, call.context.params)
    const response = toResponse(await verb(parts, viewer, input, { request, session }))
    // What a page asks for by itself keeps no session alive.
    const isAutomatic = request.headers.has(AUTOMATIC_HEADER) || request.headers.get('accept') === 'text/event-stream'
    if (isAutomatic) return response
    const { env, now, sessions, viewers } = parts
    sessions.use(session.id)
    if (now() - session.issuedAtMs < RENEW_AFTER_MS) return response
    // The session rolls. If it ended meanwhile, the cookie stays as a later sign-in left it.
    const cookie = await renewedSessionCookie(session, env)
    const isStillValid = (await viewers.find(session).catch(() => null)) !== null
    if (isStillValid) response.headers.append('set-cookie', cookie)
    return response
  })
}

/** `label` is the path's pattern: the log gets nothing else, since an id or a search can identify a person. */
type Place = { label: string; method: Method | 'OPTIONS' }

function createHandler({ label, method }: Place, answer: Answering): Handler {
  const isChange = method !== 'GET' && method !== 'OPTIONS'
  return async (request, context) => {
    const parts = services()
    // Next holds requests while it starts and lets them in at once, so it is asked now.
    if (parts.lifecycle.isComing()) return ready(parts)
    const { logger, refusals } = parts
    const startedAt = performance.now()
    const call: RouteCall = { context, userId: null }
    const failure: { err?: unknown } = {}
    const answering = async () => {
      requireSameOrigin(parts, request)
      return answer(parts, request, call)
    }
    const response = await answering().catch((err: unknown) => {
      failure.err = err
      return errorResponse(err, { isChange })
    })
    const { userId } = call
    if (failure.err instanceof ForbiddenError && userId !== null) refusals(userId, request.method, label)
    const ms = Math.round(performance.now() - startedAt)
    logRequest(logger, { method: request.method, path: label, status: response.status, ms, userId }, failure)
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
