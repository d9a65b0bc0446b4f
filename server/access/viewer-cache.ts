import { MINUTE_MS } from '@/lib/time/durations'
import { isOutage } from '@/server/base/database-outage'
import { UnauthenticatedError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'
import type { AuthEnv } from './cookies'
import { readSession, type Session } from './session-cookie'
import { isValidSession, type Sessions, type SessionWithUser } from './sessions'
import { makeViewer, type Viewer } from './viewer'

export type Viewers = Pick<ReturnType<typeof createViewerCache>, 'find'>

type SessionIds = Pick<Session, 'id' | 'userId'>
/** Each row read gets one viewer object, so that a `WeakMap` can cache what is derived from it. */
type CachedSession = SessionWithUser & { viewer: Viewer }

const MAX_CACHED_SESSIONS = 10_000
const OUTAGE_TTL_MS = 15 * MINUTE_MS

/** Caches viewers until `invalidate`. During an outage the last read stays valid for 15 minutes, for reading only. */
export function createViewerCache({ now, logger, cacheTtlMs: ttlMs }: BaseServices, sessions: Pick<Sessions, 'find'>) {
  const lastReads = createLruCache<{ entry: CachedSession | null; readAt: number }>(MAX_CACHED_SESSIONS)
  const generationByUser = new Map<string, number>()
  // A change of the user changes the key, so that a read which began before the change is never found.
  const makeKey = ({ id, userId }: SessionIds) => `${id} ${generationByUser.get(userId) ?? 0}`

  const read = async (key: string): Promise<CachedSession | null> => {
    const row = await sessions.find(key.slice(0, key.indexOf(' ')))
    const entry = row && { ...row, viewer: makeViewer(row.user, row) }
    lastReads.set(key, { entry, readAt: now() })
    return entry
  }
  const sessionCache = createInvalidatedCache({ read, ttlMs, now, maxEntries: MAX_CACHED_SESSIONS })

  return {
    invalidate: (userId: string) => void generationByUser.set(userId, (generationByUser.get(userId) ?? 0) + 1),
    /** After a gap, in which changes may have been missed, users are read again. The last read remains the fallback. */
    invalidateAll: sessionCache.invalidateAll,
    async requireStoredSession(session: Session) {
      const entry = await sessionCache.get(makeKey(session))
      if (!isValid(entry, session, now())) throw new UnauthenticatedError()
      return entry.session
    },
    async find(session: SessionIds): Promise<Viewer | null> {
      const key = makeKey(session)
      try {
        const entry = await sessionCache.get(key)
        return isValid(entry, session, now()) ? entry.viewer : null
      } catch (error) {
        const lastRead = isOutage(error) ? lastReads.get(key) : undefined
        if (!lastRead || now() - lastRead.readAt >= OUTAGE_TTL_MS) throw error
        logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
        const { entry } = lastRead
        if (!isValid(entry, session, now())) return null
        return makeViewer(entry.user, { readOnly: true, mustEnrol: entry.mustEnrol })
      }
    },
  }
}

export async function authenticate(services: { env: AuthEnv; viewers: Viewers }, request: { headers: Headers }) {
  const session = await readSession(request, services.env)
  const viewer = session && (await services.viewers.find(session))
  return session && viewer && { session, viewer }
}

function isValid(entry: CachedSession | null, { userId }: SessionIds, nowMs: number): entry is CachedSession {
  if (entry === null || entry.user.id !== userId || entry.user.disabled) return false
  return isValidSession(entry.session, entry.user, nowMs)
}
