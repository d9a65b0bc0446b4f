export type ApiErrorKind =
  | 'unauthenticated'
  | 'unauthorized'
  | 'not-found'
  | 'refused'
  | 'not-ready'
  | 'offline'
  | 'unreadable'
  | 'broken'

/** Why a request to our own API gave nothing. `status` is 0 when there was no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly kind: ApiErrorKind,
    readonly status: number,
    /** What `Retry-After` asked for. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`api: ${kind}`)
    this.name = 'ApiError'
  }
}

export function kindOfStatus(status: number): ApiErrorKind {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'unauthorized'
  if (status === 404) return 'not-found'
  if (status === 503) return 'not-ready'
  return status >= 500 ? 'broken' : 'refused'
}

/** Whether asking again may help; a refusal stays a refusal. */
export function isWorthRetrying(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.kind === 'offline' || error.kind === 'not-ready' || error.kind === 'broken')
  )
}
