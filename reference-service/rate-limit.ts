import type { Clock, Limits } from './specification'

type Verdict = { accepted: true } | { accepted: false; retryAfterSeconds: number }

/**
 * A sliding log over both windows, one log per key: at no moment do the second or the hour behind it hold more accepted
 * calls than the limits. A refused call is not counted, so that a caller who waits `retryAfterSeconds` is let in.
 */
export function createRateLimit({ limits, clock }: { limits: Limits; clock: Clock }) {
  const windows = [
    { most: limits.perSecond, ms: 1000 },
    { most: limits.perHour, ms: 3_600_000 },
  ]
  const keep = Math.max(limits.perSecond, limits.perHour)
  const logs = new Map<string, number[]>()

  return {
    take(key: string): Verdict {
      const now = clock()
      const log = logs.get(key) ?? []
      const freeAt = Math.max(...windows.map(({ most, ms }) => (log.at(-most) ?? -Infinity) + ms))
      if (freeAt > now) return { accepted: false, retryAfterSeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)) }
      log.push(now)
      // Trimmed now and then, not on every call: shifting a long array costs as much as the array is long.
      if (log.length > 2 * keep) log.splice(0, log.length - keep)
      logs.set(key, log)
      return { accepted: true }
    },
  }
}
