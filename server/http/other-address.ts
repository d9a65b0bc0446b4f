import 'server-only'
import type { OtherAddressReport } from '@/lib/contract/feed-status'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'

type Parts = { env: Pick<Env, 'auth'>; now: () => number; logger: Pick<Logger, 'warn'> }
export type OtherAddress = ReturnType<typeof createOtherAddress>

const MINUTE_MS = 60_000
/** After that it may have been put right. */
const KEPT_MS = 24 * 3_600_000

/**
 * Browsers that have Intag open at another address than `NEXTAUTH_URL`, where nothing can be saved: told in the log once a
 * minute at most, and to administrators. Kept is the last such address and a count, so that nobody can fill anything by it.
 */
export function createOtherAddress({ env, now, logger }: Parts) {
  let seen: { origin: string; count: number; at: number } | null = null
  let saidAt = -Infinity
  let unsaid = 0
  return {
    hear: (origin: string): void => {
      seen = { origin, count: (seen?.count ?? 0) + 1, at: now() }
      unsaid += 1
      if (now() - saidAt < MINUTE_MS) return
      logger.warn(
        { openedAt: origin, setUpFor: env.auth.url, refused: unsaid },
        'Intag is opened at another address than NEXTAUTH_URL: nothing can be saved there',
      )
      saidAt = now()
      unsaid = 0
    },
    /** Null when there was none within a day. */
    report: (): OtherAddressReport | null => {
      if (seen === null || now() - seen.at > KEPT_MS) return null
      const { origin, count, at } = seen
      return { openedAt: origin, setUpFor: env.auth.url, count, lastAt: new Date(at).toISOString() }
    },
  }
}
