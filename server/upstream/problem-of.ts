import 'server-only'
import { TimeOutError } from './deadline'
import type { Problem } from './outcome'
import { TooLargeError } from './read-body'
import { retryAfterMs } from './retry-after'

/** The problem that a status other than 200 stands for. */
export function problemOfStatus({ status, headers }: Response, nowMs: number): Problem {
  const detail = `status ${status}`
  const wait = retryAfterMs(headers, nowMs)
  const retry = wait === undefined ? {} : { retryAfterMs: wait }
  if (status === 401) return { ok: false, kind: 'unauthenticated', detail }
  if (status === 403) return { ok: false, kind: 'unauthorized', detail }
  if (status === 404) return { ok: false, kind: 'not-found', detail }
  if (status === 429) return { ok: false, kind: 'rate-limited', detail, ...retry }
  if (status >= 500) return { ok: false, kind: 'unavailable', detail, ...retry }
  if (status >= 300 && status < 400 && status !== 304)
    return unreadable(`a redirect (${detail}), which is not followed`)
  return unreadable(detail)
}

/** The problem that a failed request stands for, told by codes only: messages may quote what was sent. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof TimeOutError) return unavailable(error.message)
  if (error instanceof TooLargeError) return unreadable(error.message)
  const code = codeOf(error)
  if (code === 'Z_DATA_ERROR' || code.startsWith('HPE_')) return unreadable(`a broken answer (${code})`)
  return unavailable(`the connection failed (${code})`)
}

export const unreadable = (detail: string): Problem => ({ ok: false, kind: 'unreadable', detail })
const unavailable = (detail: string): Problem => ({ ok: false, kind: 'unavailable', detail })

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]{0,50}$/.test(at.code)) return at.code
  }
  return 'unknown reason'
}
