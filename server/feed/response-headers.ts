import { z } from 'zod'
import { HOUR_MS } from '@/lib/time/durations'

/** Our requests send validators back, to ask for changes only (RFC 9110, 8.8). The list came whole at `wholeAt`. */
export const validatorsSchema = z.object({ etag: z.string(), lastModified: z.string(), wholeAt: z.number() }).partial()
export type Validators = z.infer<typeof validatorsSchema>

/** A validator becomes a header of our request, so it must be short and visible ASCII. */
const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,500}$/

export function readValidators(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  return {
    etag: SENDABLE.test(etag) ? etag : undefined,
    lastModified: SENDABLE.test(lastModified) ? lastModified : undefined,
  }
}

/** Reads `Retry-After`, seconds or a date, as ms from now: an hour at most, and undefined for a moment that has passed. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return waitMs > 0 ? Math.min(waitMs, HOUR_MS) : undefined
}
