import 'server-only'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { createRecent } from '@/server/recent'
import { type Session, sessionOf } from './session-cookie'
import { type Found, holds, type Sessions, type StoredSession } from './sessions'
import { makeViewer, type Viewer } from './viewer'

export type Viewers = Pick<ReturnType<typeof createViewers>, 'find'>

/** Who makes a request, or null without a session that holds, of somebody who is still let in. */
export async function signedIn(
  { env, viewers }: { env: Pick<Env, 'auth'>; viewers: Viewers },
  request: Request,
): Promise<{ session: Session; viewer: Viewer } | null> {
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
  /** Without it, or while it is 0, the rows are read for each request. */
  holdsMs?: HoldsMs
}

/**
 * Who a session belongs to. The rows are known in memory until it is told that something of the person has changed (`forget`),
 * so that ending a session or taking something away works at once. While the database cannot be read, what was read in the
 * last 15 minutes and is not told to have changed holds, for reading only; after that it fails.
 */
export function createViewers({ sessions, now, logger, holdsMs = () => 0 }: ViewersOptions) {
  const lastRead = createRecent<{ found: Found; at: number }>(MOST_CACHED)
  const timesTold = new Map<string, number>()
  let gaps = 0
  // What is told of a person changes the key, so that no reading from before, however late it ends, is found again.
  const keyOf = ({ id, userId }: Session) => `${id} ${timesTold.get(userId) ?? 0}`

  const read = async (key: string) => {
    const gapsBefore = gaps
    const found = await sessions.find(key.slice(0, key.indexOf(' ')))
    if (gaps === gapsBefore) lastRead.set(key, { found, at: now() })
    return found
  }
  const rows = createToldCache({ read, holdsMs, now, most: MOST_CACHED })
  const cached = (key: string, error: unknown) => {
    const known = lastRead.get(key)
    if (!known || now() - known.at >= CACHE_MS) throw error
    logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
    return known.found
  }

  return {
    /** Changed role, schools, password, sessions or admission: what was known of the person holds no longer. */
    forget: (userId: string): void => void timesTold.set(userId, (timesTold.get(userId) ?? 0) + 1),
    /** Changes may have been missed: everybody is read anew, and only where that fails does it hold on. */
    forgetAll: (): void => {
      gaps += 1
      rows.forgetAll()
    },
    /** The row of a session that holds; null of any other. */
    async stored(session: Session): Promise<StoredSession | null> {
      const found = await rows.get(keyOf(session))
      return isValid(found, session, now()) ? found.session : null
    },
    async find(session: Session): Promise<Viewer | null> {
      const key = keyOf(session)
      try {
        const found = await rows.get(key)
        return isValid(found, session, now()) ? viewerOf(found) : null
      } catch (error) {
        const found = cached(key, error)
        if (!isValid(found, session, now())) return null
        return makeViewer(found.user, { readOnly: true, mustEnrol: found.mustEnrol })
      }
    },
  }
}

/** One viewer for each row that was read, so that what is computed for a viewer can be kept beside it. */
function viewerOf(found: NonNullable<Found>): Viewer {
  const viewer = viewersByRow.get(found) ?? makeViewer(found.user, found)
  viewersByRow.set(found, viewer)
  return viewer
}

const viewersByRow = new WeakMap<NonNullable<Found>, Viewer>()

function isValid(found: Found, { userId }: Session, now: number): found is NonNullable<Found> {
  return found !== null && found.user.id === userId && !found.user.disabled && holds(found.session, found.user, now)
}
