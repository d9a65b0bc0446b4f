import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Connect } from '@/server/db/db'
import { invitations, users } from '@/server/db/schema'
import { setPassword } from './users'

const VALID_MS = 7 * 24 * 3_600_000

/** Invitations hold for seven days and once. Only the hash is kept: who reads the database cannot use one. */
export function createInvitationStore({ db, clock }: { db: Connect; clock: () => number }) {
  const open = (token: string) =>
    and(
      eq(invitations.tokenHash, hashOf(token)),
      isNull(invitations.usedAt),
      gt(invitations.expiresAt, new Date(clock())),
    )
  const issue = async (userId: string): Promise<string> => {
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(clock() + VALID_MS)
    await (await db()).insert(invitations).values({ tokenHash: hashOf(token), userId, expiresAt })
    return token
  }
  return {
    /** The token, which exists nowhere else afterwards. */
    issue,
    /** A new token in place of every other one that the person has not used. */
    async reissue(userId: string): Promise<string> {
      await (await db()).delete(invitations).where(and(eq(invitations.userId, userId), isNull(invitations.usedAt)))
      return issue(userId)
    },
    async isOpen(token: string): Promise<boolean> {
      const found = await (
        await db()
      )
        .select({ userId: invitations.userId })
        .from(invitations)
        .innerJoin(users, eq(users.id, invitations.userId))
        .where(and(open(token), eq(users.disabled, false)))
      return found.length > 0
    },
    /** Sets the password and uses the invitation up; the user's id, or null when it no longer holds. */
    async redeem(token: string, passwordHash: string): Promise<string | null> {
      return (await db()).transaction(async (tx) => {
        const used = { usedAt: new Date(clock()) }
        const [row] = await tx.update(invitations).set(used).where(open(token)).returning()
        if (!row) return null
        await setPassword(tx, row.userId, passwordHash, used.usedAt)
        return row.userId
      })
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
