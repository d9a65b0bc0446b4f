import 'server-only'

const LONGEST_MS = 3_600_000

/**
 * How long the service asks us to wait, ms, at most an hour: seconds or an HTTP date (RFC 9110, 10.2.3). A date counts
 * from the service's own clock when it tells it.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_MS)
  if (!/^[A-Z][a-z]{2}/.test(value)) return undefined
  const serviceNow = Date.parse(headers.get('date') ?? '')
  const waitMs = Date.parse(value) - (Number.isNaN(serviceNow) ? nowMs : serviceNow)
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_MS)
}
