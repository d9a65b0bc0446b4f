import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { hashPassword } from '@/server/access/password'
import type { Activity } from '@/server/activity/activity'
import type { Connect, Db } from '@/server/db/database'
import { invitations, users } from '@/server/db/schema'
import type { Env } from '@/server/env'
import { NotFoundError } from '@/server/errors'
import { setPassword } from './users'

export type Invitations = ReturnType<typeof createInvitations>
type Parts = {
  connect: Connect
  invitations: Pick<Invitations, 'isOpen' | 'redeem'>
  activity: Pick<Activity, 'recordIn'>
  /** Makes the person's open streams check their access again. */
  announcer: { person: (userId: string) => Promise<void> }
}

/**
 * Sets the password of the person whom the token invited. `NotFoundError` alike for an unknown, used or expired token.
 * Hashing is slow, so the token is checked first.
 */
export async function acceptInvitation(
  { connect, invitations: store, activity, announcer }: Parts,
  { token, password }: { token: string; password: string },
): Promise<void> {
  if (!(await store.isOpen(token))) throw new NotFoundError()
  const passwordHash = await hashPassword(password)
  const db = await connect()
  const userId = await db.transaction(async (tx) => {
    const id = await store.redeem(tx, token, passwordHash)
    if (id === null) throw new NotFoundError()
    await activity.recordIn(tx, { userId: id, action: 'invitation-accepted' })
    return id
  })
  await announcer.person(userId)
}

/** Where an invitation is answered. Behind the # the token reaches neither a server's log nor a Referer header. */
export function inviteUrl({ auth }: Pick<Env, 'auth'>, token: string): string {
  return `${auth.url}/invite#${token}`
}

const VALID_MS = 7 * 24 * 3_600_000

/** Invitations are valid for seven days and once. Only the hash is stored: who reads the database cannot use one. */
export function createInvitations({ connect, now }: { connect: Connect; now: () => number }) {
  const open = (token: string) =>
    and(
      eq(invitations.tokenHash, hashOf(token)),
      isNull(invitations.usedAt),
      gt(invitations.expiresAt, new Date(now())),
    )
  const issue = async (tx: Db, userId: string): Promise<string> => {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now() + VALID_MS)
    await tx.insert(invitations).values({ tokenHash: hashOf(token), userId, expiresAt })
    return token
  }
  return {
    /** The token, which exists nowhere else afterwards. */
    issue,
    /** A new token; every other one that the person has not used is deleted. */
    async reissue(tx: Db, userId: string): Promise<string> {
      await tx.delete(invitations).where(and(eq(invitations.userId, userId), isNull(invitations.usedAt)))
      return issue(tx, userId)
    },
    /** Within a transaction: what the person has not used is worth nothing any more. */
    async withdraw(tx: Db, userId: string): Promise<void> {
      await tx.delete(invitations).where(and(eq(invitations.userId, userId), isNull(invitations.usedAt)))
    },
    async isOpen(token: string): Promise<boolean> {
      const database = await connect()
      const found = await database
        .select({ userId: invitations.userId })
        .from(invitations)
        .innerJoin(users, eq(users.id, invitations.userId))
        .where(and(open(token), eq(users.disabled, false)))
      return found.length > 0
    },
    /** Within a transaction: sets the password and uses the invitation up; the user's id, or null when it is not valid. */
    async redeem(tx: Db, token: string, passwordHash: string): Promise<string | null> {
      const used = { usedAt: new Date(now()) }
      const [row] = await tx.update(invitations).set(used).where(open(token)).returning()
      if (!row) return null
      await setPassword(tx, row.userId, passwordHash, used.usedAt)
      return row.userId
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
