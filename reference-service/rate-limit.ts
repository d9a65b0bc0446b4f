import type { Clock, RateLimits } from './specification'

/** A refused call is not counted, so that waiting `retryAfterSeconds` is always enough. */
export function createRateLimit({ limits, clock }: { limits: RateLimits; clock: Clock }) {
  const windows = [
    { max: limits.perSecond, ms: 1000 },
    { max: limits.perHour, ms: 3_600_000 },
  ]
  const maxLogged = Math.max(limits.perSecond, limits.perHour)
  const logs = new Map<string, number[]>()

  return {
    countCall(key: string): { isAccepted: true } | { isAccepted: false; retryAfterSeconds: number } {
      const now = clock()
      const log = logs.get(key) ?? []
      const freeAt = Math.max(...windows.map(({ max, ms }) => (log.at(-max) ?? -Infinity) + ms))
      if (freeAt > now) return { isAccepted: false, retryAfterSeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)) }
      log.push(now)
      // Old calls are removed many at a time, because removing them moves all others.
      if (log.length > 2 * maxLogged) log.splice(0, log.length - maxLogged)
      logs.set(key, log)
      return { isAccepted: true }
    },
  }
}
