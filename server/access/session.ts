import 'server-only'
import { createInvalidatedCache, type HoldsMs } from '@/server/db/invalidated-cache'
import type { Logger } from '@/server/logger'
import { type Session, sessionOf, type AuthEnv } from './session-cookie'
import { createLruCache } from '@/server/lru-cache'
import { type Found, holds, type Sessions, type StoredSession } from './sessions'
import { makeViewer, type Viewer } from './viewer'

export type Viewers = Pick<ReturnType<typeof createViewers>, 'find'>

export async function signedIn({ env, viewers }: { env: AuthEnv; viewers: Viewers }, request: Request) {
  const session = await sessionOf(request, env)
  const viewer = session && (await viewers.find(session))
  return session && viewer && { session, viewer }
}

const CACHE_MS = 15 * 60_000
const MOST_CACHED = 10_000

type ViewersOptions = {
  sessions: Pick<Sessions, 'find'>
  now: () => number
  logger: Pick<Logger, 'warn'>
  holdsMs?: HoldsMs
}

/** Cached until `forget`. During a database outage the last read is valid for 15 minutes, for reading only. */
export function createViewers({ sessions, now, logger, holdsMs = () => 0 }: ViewersOptions) {
  const lastRead = createLruCache<{ found: Known; at: number }>(MOST_CACHED)
  const generations = new Map<string, number>()
  let gaps = 0
  // A change of the user changes the key, so that a read from before the change is never found, however late it ends.
  const keyOf = ({ id, userId }: Session) => `${id} ${generations.get(userId) ?? 0}`

  const read = async (key: string): Promise<Known> => {
    const gapsBefore = gaps
    const row = await sessions.find(key.slice(0, key.indexOf(' ')))
    const found = row && { ...row, viewer: makeViewer(row.user, row) }
    if (gaps === gapsBefore) lastRead.set(key, { found, at: now() })
    return found
  }
  const rows = createInvalidatedCache({ read, holdsMs, now, most: MOST_CACHED })
  const cached = (key: string, error: unknown) => {
    const known = lastRead.get(key)
    if (!known || now() - known.at >= CACHE_MS) throw error
    logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
    return known.found
  }

  return {
    forget: (userId: string): void => void generations.set(userId, (generations.get(userId) ?? 0) + 1),
    /** Changes may have been missed: every user is read again, with the last read as fallback. */
    forgetAll: (): void => {
      gaps += 1
      rows.forgetAll()
    },
    async stored(session: Session): Promise<StoredSession | null> {
      const found = await rows.get(keyOf(session))
      return isValid(found, session, now()) ? found.session : null
    },
    async find(session: Session): Promise<Viewer | null> {
      const key = keyOf(session)
      try {
        const found = await rows.get(key)
        return isValid(found, session, now()) ? found.viewer : null
      } catch (error) {
        const found = cached(key, error)
        if (!isValid(found, session, now())) return null
        return makeViewer(found.user, { readOnly: true, mustEnrol: found.mustEnrol })
      }
    },
  }
}

/** One viewer per row read, so that values derived from a viewer can be cached beside it. */
type Known = (NonNullable<Found> & { viewer: Viewer }) | null

function isValid(found: Known, { userId }: Session, now: number): found is NonNullable<Known> {
  return found !== null && found.user.id === userId && !found.user.disabled && holds(found.session, found.user, now)
}
