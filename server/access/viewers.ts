import 'server-only'
import { makeViewer, type Viewer } from './make-viewer'
import type { Session } from './session-token'
import type { Logger } from '@/server/logger'
import type { StoredUser, Users } from '@/server/users/users'

const HOLDS_MS = 15 * 60_000
const KEEP_AT_MOST = 10_000

/**
 * Who a session belongs to, read anew each time, so that taking something away works at once. While the
 * database cannot be read, what was read in the last 15 minutes holds, for reading only; after that it fails.
 */
export function createViewers({
  users,
  clock,
  logger,
}: {
  users: Pick<Users, 'find'>
  clock: () => number
  logger: Logger
}) {
  const lastRead = new Map<string, { user: StoredUser | null; at: number }>()

  const remember = (id: string, user: StoredUser | null) => {
    lastRead.delete(id)
    lastRead.set(id, { user, at: clock() })
    const [oldest] = lastRead.keys()
    if (lastRead.size > KEEP_AT_MOST && oldest !== undefined) lastRead.delete(oldest)
  }
  const remembered = (id: string, error: unknown) => {
    const known = lastRead.get(id)
    if (!known || clock() - known.at >= HOLDS_MS) throw error
    logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
    return known.user
  }

  return {
    async find(session: Session): Promise<Viewer | null> {
      try {
        const user = await users.find(session.userId)
        remember(session.userId, user)
        return isValid(user, session) ? makeViewer(user) : null
      } catch (error) {
        const user = remembered(session.userId, error)
        return isValid(user, session) ? makeViewer(user, { readOnly: true }) : null
      }
    },
  }
}

function isValid(user: StoredUser | null, session: Session): user is StoredUser {
  return user !== null && !user.disabled && user.sessionEpoch === session.epoch
}
