import { ApiError } from './send'

/** A retry waits no longer, because the polled status may report data earlier. */
const MAX_WAIT_MS = 10_000

/** A query is retried twice, or once if the server said when to retry. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  const retryAfterMs = readRetryAfterMs(error)
  if (retryAfterMs !== null && retryAfterMs > MAX_WAIT_MS) return false
  return failureCount < (retryAfterMs === null ? 2 : 1) && isWorthRetrying(error)
}

export function retryDelayMs(failureCount: number, error: unknown, random = Math.random()): number {
  return Math.min(MAX_WAIT_MS, readRetryAfterMs(error) ?? 1_000 * 2 ** failureCount) + random * 1_000
}

const readRetryAfterMs = (error: unknown) => (error instanceof ApiError ? error.retryAfterMs : null)

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && ['offline', 'not-ready', 'broken'].includes(error.kind)
}

export const queryRetries = { retry: shouldRetry, retryDelay: retryDelayMs }

export const mutationRetries = {
  retry: (failureCount: number, error: Error) => failureCount < 3 && isWorthRetrying(error),
  retryDelay: retryDelayMs,
}
