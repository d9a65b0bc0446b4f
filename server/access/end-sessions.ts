import 'server-only'
import type { AccountSession, SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import type { Db } from '@/server/db/database'
import { NotFoundError } from '@/server/errors'
import type { Users } from '@/server/users/users'
import { command, type CommandParts } from './command'
import type { Session } from './session-cookie'
import { endOf, type Sessions, type StoredSession } from './sessions'
import type { Allowed, Viewer } from './viewer'

/** What ending needs: the person's open streams, at other instances too, end before whoever ended them is answered. */
export type EndingParts = CommandParts & {
  sessions: Pick<Sessions, 'end' | 'endAll'>
  announcer: { person: (userId: string) => Promise<void> }
}
type Listing = { sessions: Pick<Sessions, 'list'> }
type Asking = { session: Session }

/** The viewer's own sessions that hold. */
export async function listOwnSessions(
  { sessions }: Listing,
  viewer: Viewer,
  _none: unknown,
  { session }: Asking,
): Promise<SessionsAnswer> {
  return described(await sessions.list(viewer.id, viewer.role), viewer.role, session)
}

/** Somebody else's. `NotFoundError` for an unknown person. */
export async function listSessionsOf(
  { sessions, users }: Listing & { users: Pick<Users, 'find'> },
  _viewer: Allowed<'admin'>,
  { id }: { id: string },
  { session }: Asking,
): Promise<SessionsAnswer> {
  const user = await users.find(id)
  if (!user) throw new NotFoundError()
  return described(await sessions.list(id, user.role), user.role, session)
}

function described(sessions: readonly StoredSession[], role: Role, asking: Session): SessionsAnswer {
  return {
    sessions: sessions.map((session): AccountSession => {
      const { id, method, device, address, createdAt, lastUsedAt } = session
      return {
        id,
        method,
        device,
        address,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        endsAt: new Date(endOf(session, role)).toISOString(),
        current: id === asking.id,
      }
    }),
  }
}

/** Signs out: the cookie is worth nothing from now on, whoever has a copy. */
export async function signOut(parts: EndingParts, viewer: Viewer, { id }: Session): Promise<void> {
  await end(parts, viewer, async (tx, log) => {
    await parts.sessions.end(tx, viewer.id, id, 'person')
    await log({ action: 'sign-out' })
  })
}

/** Ends one of the viewer's own. `NotFoundError` when there is none that has not ended. */
export async function endOwnSession(parts: EndingParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await end(parts, viewer, async (tx, log) => {
    if (!(await parts.sessions.end(tx, viewer.id, id, 'person'))) throw new NotFoundError()
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: 1 } })
  })
}

/** Ends all of the viewer's own; those that ask to keep the current one but for that. */
export async function endOwnSessions(
  parts: EndingParts,
  viewer: Viewer,
  { keep }: { keep?: 'current' | undefined },
  { session }: Asking,
): Promise<{ ended: number }> {
  return end(parts, viewer, async (tx, log) => {
    const ended = await parts.sessions.endAll(tx, viewer.id, 'person', keep && session.id)
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: ended } })
    return { ended }
  })
}

/** Signs somebody else out everywhere. `NotFoundError` for an unknown person. */
export async function endSessionsOf(
  parts: EndingParts & { users: Pick<Users, 'find'> },
  viewer: Allowed<'admin'>,
  { id: userId }: { id: string },
): Promise<{ ended: number }> {
  return end(
    parts,
    viewer,
    async (tx, log) => {
      if (!(await parts.users.find(userId, tx))) throw new NotFoundError()
      const ended = await parts.sessions.endAll(tx, userId, 'admin')
      await log({ action: 'sessions-ended', details: { user: userId, count: ended } })
      return { ended }
    },
    userId,
  )
}

type Log = Parameters<Parameters<typeof command>[3]>[1]

async function end<T>(
  parts: EndingParts,
  viewer: Viewer,
  work: (tx: Db, log: Log) => Promise<T>,
  userId = viewer.id,
): Promise<T> {
  const done = await command(parts, viewer, userId === viewer.id ? 'signed-in' : 'admin', work)
  await parts.announcer.person(userId)
  return done
}
