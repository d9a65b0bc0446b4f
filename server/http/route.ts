import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { RENEW_AFTER_MS, renewedSessionCookie } from '@/server/access/session-token'
import { currentSession, currentViewer, type Permission, type Viewer } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, UnauthenticatedError } from '@/server/errors'
import { errorResponse } from './error-response'
import { jsonResponse, privateHeaders } from './json-response'
import { parseBody } from './parse-body'
import { parseQuery } from './parse-query'
import { requireSameOrigin } from './require-same-origin'
import { isStorableText } from './storable-text'
import { services } from '@/server/services'

type Context = { params: Promise<unknown> }
type Handler = (request: Request, context: Context) => Promise<Response>

export type Inputs<Q extends z.ZodObject, B extends z.ZodType, P extends z.ZodObject> = {
  query?: Q
  body?: B
  params?: P
}
export type Call<Q extends z.ZodObject, B extends z.ZodType, P extends z.ZodObject> = {
  query: z.output<Q>
  body: z.output<B>
  params: z.output<P>
  request: Request
}

/**
 * A route behind sign-in: who asks, whether they may, what they ask, the verb, and its answer as JSON or as the
 * `Response` it made. `signed-in` asks for no particular permission. Without a query schema no parameter is allowed.
 */
export function route<Q extends z.ZodObject = Empty, B extends z.ZodType = Empty, P extends z.ZodObject = Empty>(
  spec: Inputs<Q, B, P> & { permission: Permission | 'signed-in' },
  run: (call: Call<Q, B, P> & { viewer: Viewer }) => unknown,
): Handler {
  return handler(async (request, context, who) => {
    const viewer = await currentViewer()
    if (!viewer) throw new UnauthenticatedError()
    who.userId = viewer.id
    if (spec.permission !== 'signed-in' && !viewer.permissions.has(spec.permission)) throw new ForbiddenError()
    const response = toResponse(await run({ ...(await readCall(spec, request, context)), viewer }))
    await keepSession(response)
    return response
  })
}

/** A route for people who have no session yet; everything else is the same. */
export function publicRoute<Q extends z.ZodObject = Empty, B extends z.ZodType = Empty, P extends z.ZodObject = Empty>(
  spec: Inputs<Q, B, P>,
  run: (call: Call<Q, B, P>) => unknown,
): Handler {
  return handler(async (request, context) => toResponse(await run(await readCall(spec, request, context))))
}

/** Answers every request with one error, in the shape of all others. */
export function refusal(error: () => Error): Handler {
  return handler(async () => {
    throw error()
  })
}

type Empty = z.ZodObject<Record<never, never>>
const empty: z.ZodObject = z.strictObject({})

/** Filled in on the way, for the log line. */
type Who = { userId: string | null }

function handler(answer: (request: Request, context: Context, who: Who) => Promise<Response>): Handler {
  return async (request, context) => {
    const { logger, env } = services()
    const startedAt = performance.now()
    const who: Who = { userId: null }
    const { response, ...failure } = await attempt(async () => {
      requireSameOrigin(request, env)
      return answer(request, context, who)
    })
    const requestId = randomUUID()
    response.headers.set('x-request-id', requestId)
    // The path alone: what people search for can be somebody's name.
    const path = new URL(request.url).pathname
    const ms = Math.round(performance.now() - startedAt)
    const line = { requestId, method: request.method, path, status: response.status, ms, ...who }
    if (response.status >= 500) logger.error({ ...line, ...failure }, 'request failed')
    else logger.info(line, 'request')
    return response
  }
}

async function attempt(run: () => Promise<Response>): Promise<{ response: Response; err?: unknown }> {
  try {
    return { response: await run() }
  } catch (err) {
    return { response: errorResponse(err), err }
  }
}

async function readCall<Q extends z.ZodObject, B extends z.ZodType, P extends z.ZodObject>(
  { query, body, params }: Inputs<Q, B, P>,
  request: Request,
  context: Context,
): Promise<Call<Q, B, P>> {
  const path = (params ?? empty).safeParse(params ? await context.params : {})
  if (!path.success || !Object.values(path.data).every(isStorable)) throw new NotFoundError()
  return {
    params: path.data as z.output<P>,
    query: parseQuery(query ?? empty, new URL(request.url).searchParams) as z.output<Q>,
    body: (body ? await parseBody(request, body) : {}) as z.output<B>,
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

/** The session rolls: whoever uses it is not signed out in the middle of their work. */
async function keepSession(response: Response): Promise<void> {
  const session = await currentSession()
  if (session === null || Date.now() - session.issuedAtMs < RENEW_AFTER_MS) return
  response.headers.append('set-cookie', await renewedSessionCookie(session, services().env))
}
