import 'server-only'
import type { ProblemKind } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import { TimeOutError } from './deadline'

/** What the service marked an answer with, to be asked later whether it still holds (RFC 9110, 8.8). */
export type Validators = { etag?: string; lastModified?: string }

/** `detail` names a fault in our own words: it never repeats what the service sent, nor the token. */
export type Problem = { ok: false; kind: ProblemKind | 'not-found'; detail: string; retryAfterMs?: number }
/** Nothing was sent. */
type NoBudget = { ok: false; kind: 'no-budget'; retryAtMs: number }
export type FailedFetch = Problem | NoBudget

/** Wall clock, ms; `bytes` counts the decoded body. */
type Course = { startedAt: number; finishedAt: number; bytes: number }
export type WholeBody = { ok: true; notModified: false; body: Uint8Array; validators: Validators } & Course
export type NotModified = { ok: true; notModified: true; validators: Validators } & Course
export type FoundHighSchool = { ok: true; highSchool: HighSchool } & Course

/** The answer is larger than allowed; the message is ours and safe to show. */
export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

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

/** The problem that a failed request stands for, by its code only: messages may quote what was sent. */
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

const LONGEST_WAIT_MS = 3_600_000

/**
 * How long the service asks us to wait, ms, at most an hour: seconds or an HTTP date (RFC 9110, 10.2.3). A date counts
 * from the service's own clock when the answer has it.
 */
function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_WAIT_MS)
  if (!/^[A-Z][a-z]{2}/.test(value)) return undefined
  const serviceNow = Date.parse(headers.get('date') ?? '')
  const waitMs = Date.parse(value) - (Number.isNaN(serviceNow) ? nowMs : serviceNow)
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS)
}
