import 'server-only'
import { and, eq, type SQL } from 'drizzle-orm'
import type { UserChange } from '@/lib/contract/user'
import type { Db } from '@/server/db/db'
import { users } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import type { StoredUser } from './users'

/**
 * Within a transaction. Every administrator's row is locked first, in one order, so that two who
 * demote each other at the same moment cannot both succeed.
 */
export async function changeStoredUser(
  tx: Db,
  id: string,
  change: UserChange,
  visible: SQL | undefined,
): Promise<StoredUser | null> {
  const admins = await tx
    .select()
    .from(users)
    .where(and(eq(users.role, 'admin'), visible))
    .orderBy(users.id)
    .for('update')
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), visible))
    .for('update')
  if (!user) return null
  const set = changesOf(user, change)
  if (isActiveAdmin(user) && !isActiveAdmin({ ...user, ...set }) && admins.filter(isActiveAdmin).length < 2) {
    throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
  }
  if (Object.keys(set).length === 0) return user
  const [changed] = await tx.update(users).set(set).where(eq(users.id, id)).returning()
  return changed ?? null
}

/** Somebody who is invited but never came cannot look after the others yet. */
function isActiveAdmin(user: StoredUser): boolean {
  return user.role === 'admin' && !user.disabled && user.activatedAt !== null
}

/** Disabling ends every session for good: they stay ended when the person is let in again. */
function changesOf(user: StoredUser, { role, schools, disabled }: UserChange): Partial<StoredUser> {
  return {
    ...(role === undefined ? {} : { role }),
    ...(schools === undefined ? {} : { schools }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(disabled === true && !user.disabled ? { sessionEpoch: user.sessionEpoch + 1 } : {}),
  }
}
