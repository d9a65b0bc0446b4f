import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AUTOMATIC_HEADER, QUESTION_HEADER } from '@/lib/contract/headers'
import { signedIn } from '@/server/access/session'
import { type Session, RENEW_AFTER_MS, renewedSessionCookie } from '@/server/access/session-cookie'
import { requireProof } from '@/server/access/step-up'
import { type Allowed, type Permission, type Viewer, allow } from '@/server/access/viewer'
import { askedFrom, requestUnderWay } from '@/server/activity/asked-from'
import { ForbiddenError, NotFoundError, SecondFactorMissingError, UnauthenticatedError } from '@/server/errors'
import { ready } from '@/server/operations/readiness'
import { routeLabel } from '@/server/operations/route-label'
import { type Services, services } from '@/server/services'
import { addressOf } from './front-door'
import { type BodyLimits, parseBody, parseQuery, isStorableText } from './input'
import type { Load, RequestKind } from './load'
import { isReading, requireSameOrigin } from './origin'
import { tellRequest } from './request-line'
import { errorResponse, jsonResponse, OtherAddressError, privateHeaders } from './responses'

type Context = { params: Promise<unknown> }
type Handler = (request: Request, context: Context) => Promise<Response>

type Inputs<Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodObject> = {
  query?: Q
  body?: B
  params?: R
}
/**
 * `types` of the body, without it JSON; `load` where a body is sent but nothing is decided by it. `proof`: only within ten
 * minutes of having shown who one is. `enrolling`: also for whoever must get a second factor before anything else.
 */
type Terms<P extends Permission | 'signed-in'> = {
  permission: P
  types?: readonly string[]
  load?: 'read'
  proof?: true
  enrolling?: true
}
/** What a route's verb is called with; `services` fits whatever parts a verb asks for. */
type Call<Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodObject> = {
  services: Services
  query: z.output<Q>
  body: z.output<B>
  params: z.output<R>
  request: Request
}
/** Who asks. In a route with a permission the viewer is known to have it. */
type Asking<P extends Permission | 'signed-in'> = {
  viewer: P extends Permission ? Allowed<P> : Viewer
  session: Session
}

/**
 * A route behind sign-in: who asks, whether they may, what they ask, the verb, and its answer as JSON or as the
 * `Response` it made. `signed-in` asks for no particular permission. Without a query schema no parameter is allowed.
 */
export function route<
  P extends Permission | 'signed-in',
  Q extends z.ZodObject = Empty,
  B extends z.ZodType = Empty,
  R extends z.ZodObject = Empty,
>(
  { permission, types, load, proof, enrolling, ...inputs }: Inputs<Q, B, R> & Terms<P>,
  run: (call: Call<Q, B, R> & Asking<P>) => unknown,
): Handler {
  return handler(async (parts, request, context, { who, unhurried }) => {
    const found = await signedIn(parts, request)
    if (!found) throw new UnauthenticatedError()
    const { session, viewer } = found
    who.userId = viewer.id
    if (viewer.mustEnrol && enrolling !== true) throw new SecondFactorMissingError()
    if (permission !== 'signed-in') allow<Permission>(viewer, permission)
    if (proof) await requireProof(parts, session)
    const call = await readCall(inputs, parts, request, context, { types, unhurried })
    const response = toResponse(await run({ ...call, session, viewer: viewer as Asking<P>['viewer'] }))
    if (isUse(request)) await renewSession(response, session, parts)
    if (parts.reading.asks(viewer.id)) response.headers.set(QUESTION_HEADER, 'reading')
    return response
  }, load)
}

/** A token and a password need far less, and nobody can say who sends it. */
const PUBLIC_LIMIT_BYTES = 20_000

/** A route for people who have no session yet; everything else is the same. */
export function publicRoute<Q extends z.ZodObject = Empty, B extends z.ZodType = Empty, R extends z.ZodObject = Empty>(
  spec: Inputs<Q, B, R>,
  run: (call: Call<Q, B, R>) => unknown,
): Handler {
  return handler(async (parts, request, context, { unhurried }) => {
    const reading = { limitBytes: PUBLIC_LIMIT_BYTES, unhurried }
    return toResponse(await run(await readCall(spec, parts, request, context, reading)))
  })
}

/** Answers every request with one error, in the shape of all others. */
export function refusal(error: () => Error): Handler {
  return handler(async () => {
    throw error()
  })
}

/** A path nobody answers, in the shape of every other error. */
export const unknownRoute = refusal(() => new NotFoundError())

type Empty = z.ZodObject<Record<never, never>>
const empty: z.ZodObject = z.strictObject({})

/** Filled in on the way, for the log line. */
type Who = { userId: string | null }

/** Does what takes as long as the other side likes; meanwhile the request takes nobody's place. */
type Unhurried = <T>(work: () => Promise<T>) => Promise<T>

type Answer = (
  parts: Services,
  request: Request,
  context: Context,
  way: { who: Who; unhurried: Unhurried },
) => Promise<Response>

/** What every request has in common: the origin, errors as answers, the log line, and the parts, asked for once. */
function handler(answer: Answer, kind?: Exclude<RequestKind, 'page'>): Handler {
  return async (request, context) => {
    const parts = services()
    // Asked now and not when the request came: Next holds those that come while it starts, and lets them through when it has.
    if (parts.lifecycle.isComing()) return ready(parts)
    const { logger, env } = parts
    const startedAt = performance.now()
    const who: Who = { userId: null }
    const { response, ...failure } = await attempt(async () => {
      const place = placeIn(parts.load, kind ?? (isReading(request) ? 'read' : 'change'))
      try {
        requireSameOrigin(request, env)
        const way = { who, unhurried: place.unhurried }
        return await askedFrom(addressOf(request), () => answer(parts, request, context, way))
      } finally {
        place.leave()
      }
    }, !isReading(request))
    const requestId = requestUnderWay()?.id ?? randomUUID()
    response.headers.set('x-request-id', requestId)
    // The pattern alone: what people search for, and the id of a contact, can lead to somebody.
    const path = routeLabel(new URL(request.url).pathname)
    if (failure.err instanceof OtherAddressError) parts.otherAddress.hear(failure.err.openedAt)
    if (failure.err instanceof ForbiddenError) tellRefusal(parts, request, path, who)
    const ms = Math.round(performance.now() - startedAt)
    const line = { requestId, method: request.method, path, status: response.status, ms, ...who }
    tellRequest(logger, line, failure)
    return response
  }
}

function tellRefusal({ refusals }: Services, request: Request, path: string, { userId }: Who): void {
  if (userId === null) return
  askedFrom(addressOf(request), () => refusals(userId, request.method, path))
}

/** The place of one request among those under way; NotReadyError when there is none, also on coming back. */
function placeIn(load: Pick<Load, 'begin'>, kind: Exclude<RequestKind, 'page'>) {
  let end: (() => void) | null = load.begin(kind)
  const leave = () => {
    end?.()
    end = null
  }
  const unhurried: Unhurried = async (work) => {
    leave()
    const done = await work()
    end = load.begin(kind)
    return done
  }
  return { leave, unhurried }
}

async function attempt(
  run: () => Promise<Response>,
  isChange: boolean,
): Promise<{ response: Response; err?: unknown }> {
  try {
    return { response: await run() }
  } catch (err) {
    return { response: errorResponse(err, { isChange }), err }
  }
}

async function readCall<Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodObject>(
  { query, body, params }: Inputs<Q, B, R>,
  parts: Services,
  request: Request,
  context: Context,
  { unhurried, ...limits }: BodyLimits & { unhurried: Unhurried },
): Promise<Call<Q, B, R>> {
  const path = (params ?? empty).safeParse(params ? await context.params : {})
  if (!path.success || !Object.values(path.data).every(isStorable)) throw new NotFoundError()
  return {
    services: parts,
    params: path.data as z.output<R>,
    query: parseQuery(query ?? empty, new URL(request.url).searchParams) as z.output<Q>,
    body: (body ? await unhurried(() => parseBody(request, body, limits)) : {}) as z.output<B>,
    request,
  }
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || isStorableText(value)
}

function toResponse(result: unknown): Response {
  if (!(result instanceof Response)) return jsonResponse(result)
  for (const [name, value] of Object.entries(privateHeaders)) {
    if (!result.headers.has(name)) result.headers.set(name, value)
  }
  return result
}

/** What a page asks for by itself, while nobody is there, keeps no session alive. */
function isUse({ headers }: Request): boolean {
  return headers.get(AUTOMATIC_HEADER) === null && headers.get('accept') !== 'text/event-stream'
}

/**
 * The session rolls: whoever uses it is not signed out in the middle of their work. If it has ended while the answer was made,
 * the cookie that signing out took away, or that of who came after, stays as it is.
 */
async function renewSession(response: Response, session: Session, parts: Services): Promise<void> {
  const { env, now, sessions, viewers } = parts
  sessions.use(session.id)
  if (now() - session.issuedAtMs < RENEW_AFTER_MS) return
  const cookie = await renewedSessionCookie(session, env)
  const stillHolds = (await viewers.find(session).catch(() => null)) !== null
  if (stillHolds) response.headers.append('set-cookie', cookie)
}
