import { MINUTE_MS } from '@/lib/time/durations'
import { isOutage } from '@/server/base/database-outage'
import { UnauthenticatedError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'
import { type AuthEnv } from './cookies'
import { readSession, type Session } from './session-cookie'
import { isValidSession, type Sessions, type SessionWithUser } from './sessions'
import { makeViewer, type Viewer } from './viewer'

export type Viewers = Pick<ReturnType<typeof createViewerCache>, 'find'>

type SessionIds = Pick<Session, 'id' | 'userId'>

const MAX_CACHED = 10_000
const OUTAGE_TTL_MS = 15 * MINUTE_MS

/** Caches viewers until `invalidate`. During an outage the last read stays valid for 15 minutes, for reading only. */
export function createViewerCache({ now, logger, cacheTtlMs: ttlMs }: BaseServices, sessions: Pick<Sessions, 'find'>) {
  const lastReads = createLruCache<{ found: CachedSession | null; readAt: number }>(MAX_CACHED)
  const generations = new Map<string, number>()
  let gapCount = 0
  // A change of the user changes the key, so that a read that began before is never found.
  const makeKey = ({ id, userId }: SessionIds) => `${id} ${generations.get(userId) ?? 0}`

  const read = async (key: string): Promise<CachedSession | null> => {
    const gapsBefore = gapCount
    const row = await sessions.find(key.slice(0, key.indexOf(' ')))
    const found = row && { ...row, viewer: makeViewer(row.user, row) }
    if (gapCount === gapsBefore) lastReads.set(key, { found, readAt: now() })
    return found
  }
  const sessionCache = createInvalidatedCache({ read, ttlMs, now, maxEntries: MAX_CACHED })

  return {
    invalidate: (userId: string) => void generations.set(userId, (generations.get(userId) ?? 0) + 1),
    /** After a gap, in which changes may have been missed, users are read again. The last read remains the fallback. */
    invalidateAll: () => {
      gapCount += 1
      sessionCache.invalidateAll()
    },
    async requireStoredSession(session: Session) {
      const found = await sessionCache.get(makeKey(session))
      if (!isValid(found, session, now())) throw new UnauthenticatedError()
      return found.session
    },
    async find(session: SessionIds): Promise<Viewer | null> {
      const key = makeKey(session)
      try {
        const found = await sessionCache.get(key)
        return isValid(found, session, now()) ? found.viewer : null
      } catch (error) {
        const lastRead = isOutage(error) ? lastReads.get(key) : undefined
        if (!lastRead || now() - lastRead.readAt >= OUTAGE_TTL_MS) throw error
        logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
        const { found } = lastRead
        if (!isValid(found, session, now())) return null
        return makeViewer(found.user, { readOnly: true, mustEnrol: found.mustEnrol })
      }
    },
  }
}

/** Returns the session of the request's cookie with its viewer, or null if either is missing. */
export async function authenticate(services: { env: AuthEnv; viewers: Viewers }, request: { headers: Headers }) {
  const session = await readSession(request, services.env)
  const viewer = session && (await services.viewers.find(session))
  return session && viewer && { session, viewer }
}

/** Each row read gets one viewer object, so that a `WeakMap` can cache what is derived from it. */
type CachedSession = SessionWithUser & { viewer: Viewer }

function isValid(found: CachedSession | null, { userId }: SessionIds, now: number): found is CachedSession {
  if (found === null || found.user.id !== userId || found.user.disabled) return false
  return isValidSession(found.session, found.user, now)
}
