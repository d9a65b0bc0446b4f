import { z } from 'zod'
import { HOUR_MS } from '@/lib/time/durations'

/** Our requests send validators back, to ask for changes only (RFC 9110, 8.8). The list came whole at `wholeAt`. */
export const validatorsSchema = z.object({ etag: z.string(), lastModified: z.string(), wholeAt: z.number() }).partial()
export type Validators = z.infer<typeof validatorsSchema>

/** A validator becomes a header of our request, so it must be short and visible ASCII. */
const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,500}$/
const MIN_AGE_MS = 60_000

/** A `Last-Modified` within a minute of `Date` is ignored: another change may share its second (RFC 9110, 8.8.2.2). */
export function readValidators(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  const isOldEnough = Date.parse(headers.get('date') ?? '') - Date.parse(lastModified) >= MIN_AGE_MS
  return {
    etag: SENDABLE.test(etag) ? etag : undefined,
    lastModified: SENDABLE.test(lastModified) && isOldEnough ? lastModified : undefined,
  }
}

const MAX_RETRY_AFTER_MS = HOUR_MS

/** `Retry-After` in ms, an hour at most. It has seconds, or a date by the service's own clock (RFC 9110, 10.2.3). */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS)
  if (!/^[A-Z][a-z]{2}/.test(value)) return undefined
  const serviceNow = Date.parse(headers.get('date') ?? '')
  const waitMs = Date.parse(value) - (Number.isNaN(serviceNow) ? nowMs : serviceNow)
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS)
}

const JSON_TYPE = /^\s*(text\/plain|application\/octet-stream|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i

/** Says why the body cannot be JSON, or returns null. No type or a plain text may be JSON. */
export function findBodyFault(headers: Headers): string | null {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return 'an encoding that was not asked for'
  const type = headers.get('content-type') ?? ''
  return type === '' || JSON_TYPE.test(type) ? null : 'an answer that is not JSON by its content type'
}
