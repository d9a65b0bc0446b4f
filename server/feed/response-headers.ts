import { z } from 'zod'
import { HOUR_MS } from '@/lib/time/durations'

/** What asks for a list only if it has changed (RFC 9110, 8.8). `wholeAt` (ms) is when it was last sent whole. */
export const validatorsSchema = z.object({ etag: z.string(), lastModified: z.string(), wholeAt: z.number() }).partial()
export type Validators = z.infer<typeof validatorsSchema>

/** A validator becomes a header of our request, so it must be short and printable ASCII. */
const SENDABLE_VALIDATOR = /^[\x21-\x7e][\x20-\x7e]{0,500}$/
const MIN_MODIFIED_AGE_MS = 60_000

/** A `Last-Modified` within a minute of `Date` is ignored: another change may share its second (RFC 9110, 8.8.2.2). */
export function readValidators(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  const isOldEnough = Date.parse(headers.get('date') ?? '') - Date.parse(lastModified) >= MIN_MODIFIED_AGE_MS
  return {
    etag: SENDABLE_VALIDATOR.test(etag) ? etag : undefined,
    lastModified: SENDABLE_VALIDATOR.test(lastModified) && isOldEnough ? lastModified : undefined,
  }
}

/** Reads `Retry-After` (seconds, or a date by the service's clock) in ms, an hour at most. Undefined if past. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  const serviceNow = Date.parse(headers.get('date') ?? '') || nowMs
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - serviceNow
  return waitMs > 0 ? Math.min(waitMs, HOUR_MS) : undefined
}
