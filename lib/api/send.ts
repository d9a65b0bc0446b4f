import {
  AUTOMATIC_HEADER,
  DATABASE_AWAY,
  OTHER_ADDRESS,
  PROOF_REASON_PREFIX,
  type ProofMethod,
  REASON_HEADER,
} from '@/lib/contract/headers'

/** The window dispatches this event when a request shows that nobody is signed in any more. */
export const SESSION_LOST = 'intag:session-lost'
/** The window dispatches this event when nothing was saved; its `detail` is a `NotSaved`. */
export const NOT_SAVED = 'intag:not-saved'
export type NotSaved = typeof DATABASE_AWAY | typeof OTHER_ADDRESS

export type SendOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  body?: unknown
  signal?: AbortSignal | undefined
  accept?: string | undefined
}

/** Sends one request to our own API. Every failure but an abort is an `ApiError`. */
export async function send(path: string, options: SendOptions): Promise<Response> {
  const { method = 'GET', body, signal, accept = 'application/json' } = options
  const response = await withOfflineError(signal, () =>
    fetch(path, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: {
        accept,
        ...(isAutomatic() && { [AUTOMATIC_HEADER]: '1' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    }),
  )
  // The header `Date` has whole seconds, so a difference below two seconds is ignored.
  const ahead = Date.parse(response.headers.get('date') ?? '') - Date.now()
  if (Math.abs(ahead - serverAheadMs) > CLOCK_TOLERANCE_MS) serverAheadMs = ahead
  if (response.ok) return response
  if (response.status >= 500) lastFailure = { requestId: response.headers.get('x-request-id'), failedAt: Date.now() }
  if (response.status === 401) dispatchWindowEvent(SESSION_LOST)
  const reason = response.headers.get(REASON_HEADER)
  if (reason === 'second-factor-missing') globalThis.location?.assign('/second-factor')
  if (method !== 'GET' && (reason === DATABASE_AWAY || reason === OTHER_ADDRESS) && !isAutomatic())
    dispatchWindowEvent(NOT_SAVED, reason)
  if (reason?.startsWith(PROOF_REASON_PREFIX)) {
    const proofMethod = reason.slice(PROOF_REASON_PREFIX.length) as ProofMethod
    const handler = await reauthenticate
    if (await handler(proofMethod)) return send(path, options)
  }
  const seconds = Number(response.headers.get('retry-after'))
  throw new ApiError(toErrorKind(response.status), response.status, seconds > 0 ? seconds * 1000 : null, reason)
}

const dispatchWindowEvent = (event: string, detail?: unknown) =>
  globalThis.dispatchEvent?.(new CustomEvent(event, { detail }))

type Reauthenticate = (method: ProofMethod) => Promise<boolean>
let resolveReauthenticate: (handler: Reauthenticate) => void
let reauthenticate = new Promise<Reauthenticate>((resolve) => (resolveReauthenticate = resolve))

/**
 * Sets how the user re-authenticates; after success the request is sent again. The dialog is loaded after the first screen, and
 * a request that needs a proof before that waits for it.
 */
export function setReauthenticateHandler(handler: Reauthenticate): void {
  resolveReauthenticate(handler)
  reauthenticate = Promise.resolve(handler)
}

let lastFailure: { requestId: string | null; failedAt: number } = { requestId: null, failedAt: 0 }

/** Returns the id of a request that the server failed to answer within the last second. */
export function readFailedRequestId(): string | null {
  return Date.now() - lastFailure.failedAt < 1_000 ? lastFailure.requestId : null
}

/** Tells whether the user has done nothing in the last seconds. A request of that kind does not extend the session. */
function isAutomatic(): boolean {
  return globalThis.navigator?.userActivation?.isActive === false
}

const CLOCK_TOLERANCE_MS = 2_000
let serverAheadMs = 0

export function toServerTime(browserMs: number): number {
  return browserMs + serverAheadMs
}

/** `requestedAt` (ms by the server's clock) is the moment of the request. The answer contains every change from before it. */
export type WithRequestTime = { requestedAt: number }

export async function withRequestTime<T extends object>(work: () => Promise<T>): Promise<T & WithRequestTime> {
  const startedAt = Date.now()
  const answer = await work()
  // The server's clock is known from the first answer on.
  return { ...answer, requestedAt: toServerTime(startedAt) }
}

/** Turns a connection that breaks, before or within the answer, into an `ApiError` of kind `offline`. */
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

export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && ['offline', 'not-ready', 'broken'].includes(error.kind)
}

export async function sleep(signal: AbortSignal, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  signal.throwIfAborted()
}

/** Allows two retries, or one if the server said when. A longer wait than `MAX_RETRY_AFTER_MS` ends when `GET /api/status` says so. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const hasDelay = error instanceof ApiError && error.retryAfterMs !== null
  if (hasDelay && error.kind === 'not-ready' && error.retryAfterMs > MAX_RETRY_AFTER_MS) return false
  return failures < (hasDelay ? 1 : 2) && isWorthRetrying(error)
}

/** A waiting retry notices no event, and the server may be ready earlier than it expected. */
const MAX_RETRY_AFTER_MS = 10_000

export function retryDelayMs(failures: number, error: unknown, random = Math.random()): number {
  const delayMs = error instanceof ApiError ? error.retryAfterMs : null
  const wait = delayMs === null ? Math.min(30_000, 1_000 * 2 ** failures) : Math.min(MAX_RETRY_AFTER_MS, delayMs)
  return wait + random * 1_000
}

/** The retries of every query client. */
export const queryRetries = { retry: shouldRetry, retryDelay: retryDelayMs }

type QueryValue = string | number | boolean

/** Returns `?a=1&b=x&b=y`, sorted by name, or an empty text. A list repeats its name. */
export function toQueryString(query: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, String(one)]))
  const search = new URLSearchParams(pairs)
  search.sort()
  return `${search}` && `?${search}`
}
