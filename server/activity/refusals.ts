import 'server-only'
import type { Logger } from '@/server/logger'
import { createRecent } from '@/server/recent'
import type { Activity } from './activity'

type RefusalParts = { activity: Pick<Activity, 'record'>; now: () => number; logger: Pick<Logger, 'warn'> }

const HOUR_MS = 3_600_000
const MOST_KNOWN = 5_000

/** Enters in the log that somebody asked for what they may not have: once for each person, route and hour. */
export function createRefusals({ activity, now, logger }: RefusalParts) {
  const known = createRecent<true>(MOST_KNOWN)
  return (userId: string, method: string, route: string): void => {
    const key = `${userId} ${method} ${route} ${Math.floor(now() / HOUR_MS)}`
    if (known.get(key)) return
    known.set(key, true)
    activity
      .record({ userId, action: 'refused', details: { method, route } })
      .catch((err: unknown) => logger.warn({ err }, 'a refusal could not be logged'))
  }
}

/** The path of a request by its pattern: what names somebody or something is `:name`. */
export function routeOf(path: string, params: unknown): string {
  const named = Object.entries(typeof params === 'object' && params !== null ? params : {})
  const parts = path.split('/')
  const rest = named.find(([, value]) => Array.isArray(value))
  // A path that nobody knows may hold anything.
  if (rest) return [...parts.slice(0, -rest[1].length || parts.length), `:${rest[0]}`].join('/')
  return parts
    .map((part) => {
      const found = named.find(([, value]) => value === part || decoded(String(value)) === decoded(part))
      return found === undefined ? part : `:${found[0]}`
    })
    .join('/')
}

/** One text has many spellings, such as `%61` for `a`; what is none of them stays. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
