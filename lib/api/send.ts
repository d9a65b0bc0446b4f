import {
  AUTOMATIC_HEADER,
  DATABASE_AWAY,
  OTHER_ADDRESS,
  PROOF_REASON_PREFIX,
  type ProofMethod,
  REASON_HEADER,
} from '@/lib/contract/headers'

/** The window dispatches this event when nobody is signed in any more. */
export const SESSION_LOST = 'intag:session-lost'
/** The window dispatches this event when nothing was saved; its `detail` is a `NotSaved`. */
export const NOT_SAVED = 'intag:not-saved'
export type NotSaved = typeof DATABASE_AWAY | typeof OTHER_ADDRESS

export type SendOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A smaller difference of the clocks is ignored, because the header `Date` has whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000

/** Sends one request to our own API. Every failure but an abort is an `ApiError`. */
export async function send(path: string, options: SendOptions): Promise<Response> {
  const { method = 'GET', body, signal } = options
  const headers = new Headers()
  const isAutomatic = isUserIdle()
  if (isAutomatic) headers.set(AUTOMATIC_HEADER, '1')
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = { method, cache: 'no-store', headers, body: JSON.stringify(body), signal: signal ?? null } as const
  const response = await withOfflineError(signal, () => fetch(path, init))
  const aheadMs = Date.parse(response.headers.get('date') ?? '') - Date.now()
  if (Math.abs(aheadMs - serverAheadMs) > CLOCK_TOLERANCE_MS) serverAheadMs = aheadMs
  if (response.ok) return response
  if (response.status >= 500) lastFailure = { requestId: response.headers.get('x-request-id'), failedAt: Date.now() }
  if (response.status === 401) dispatchWindowEvent(SESSION_LOST)
  const reason = response.headers.get(REASON_HEADER)
  if (reason === 'second-factor-missing') globalThis.location?.assign('/second-factor')
  if (method !== 'GET' && (reason === DATABASE_AWAY || reason === OTHER_ADDRESS) && !isAutomatic)
    dispatchWindowEvent(NOT_SAVED, reason)
  if (reason?.startsWith(PROOF_REASON_PREFIX)) {
    const proofMethod = reason.slice(PROOF_REASON_PREFIX.length) as ProofMethod
    const reauthenticate = await reauthenticateHandler
    if (await reauthenticate(proofMethod)) return send(path, options)
  }
  const seconds = Number(response.headers.get('retry-after'))
  throw new ApiError(toErrorKind(response.status), response.status, seconds > 0 ? seconds * 1000 : null, reason)
}

const dispatchWindowEvent = (event: string, detail?: unknown) =>
  globalThis.dispatchEvent?.(new CustomEvent(event, { detail }))

type Reauthenticate = (method: ProofMethod) => Promise<boolean>
let resolveFirstHandler: (handler: Reauthenticate) => void
let reauthenticateHandler = new Promise<Reauthenticate>((resolve) => (resolveFirstHandler = resolve))

/** Sets how the user re-authenticates. The handler is loaded late, so requests that need a proof before then wait. */
export function setReauthenticateHandler(handler: Reauthenticate): void {
  resolveFirstHandler(handler)
  reauthenticateHandler = Promise.resolve(handler)
}

let lastFailure: { requestId: string | null; failedAt: number } = { requestId: null, failedAt: 0 }

/** Returns the id of a request that failed at the server (5xx) less than a second ago, or null. */
export function readFailedRequestId(): string | null {
  return Date.now() - lastFailure.failedAt < 1_000 ? lastFailure.requestId : null
}

/** Tells whether the user has done nothing in the last seconds. A request then does not extend the session. */
function isUserIdle(): boolean {
  return globalThis.navigator?.userActivation?.isActive === false
}

let serverAheadMs = 0

export function toServerTime(browserMs: number): number {
  return browserMs + serverAheadMs
}

/** The answer was requested at this moment (ms by the server's clock), and contains every change from before. */
export type WithRequestTime = { requestedAt: number }

export async function withRequestTime<T extends object>(work: () => Promise<T>): Promise<T & WithRequestTime> {
  const startedAt = Date.now()
  const answer = await work()
  // The time is converted last, because only an answer tells the server's clock.
  return { ...answer, requestedAt: toServerTime(startedAt) }
}

/** Throws an `ApiError` of kind `offline` if the connection breaks, before or within the answer. */
export async function withOfflineError<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError('offline', 0)
  }
}

/** `status` is 0 if no answer came. */
export class ApiError extends Error {
  constructor(
    readonly kind: ReturnType<typeof toErrorKind> | 'offline' | 'unreadable',
    readonly status: number,
    readonly retryAfterMs: number | null = null,
    readonly reason: string | null = null,
  ) {
    super(`api: ${kind}`)
    this.name = 'ApiError'
  }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

function toErrorKind(status: number) {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'unauthorized'
  if (status === 404) return 'not-found'
  if (status === 503) return 'not-ready'
  return status >= 500 ? 'broken' : 'refused'
}

export async function sleep(signal: AbortSignal, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  signal.throwIfAborted()
}

type QueryValue = string | number | boolean

/** Returns `?a=1&b=x&b=y`, sorted by name, or an empty text. A list repeats its name for each value. */
export function toQueryString(query: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => [name, String(item)]),
  )
  const search = new URLSearchParams(pairs)
  search.sort()
  return pairs.length === 0 ? '' : `?${search}`
}
