import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { acceptPassword, contextOf, hashPassword } from './passwords'
import { mayUsePassword } from './sign-in-rules'
import { accountKeys, secretKey } from './throttle'
import type { Connect, Db } from '@/server/base/database'
import { callerAddress } from '@/server/base/request-context'
import { invitations, users } from '@/server/base/schema'
import type { Env } from '@/server/base/env'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { setPassword, type StoredUser, withdrawInvitations } from './users'

export type InvitationPurpose = (typeof invitations.$inferSelect)['purpose']

/** The same `NotFoundError` for unknown, used and expired tokens. Checked before the slow hash. */
export async function acceptInvitation(
  services: Services,
  _nobody: null,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { connect, env, invitations: store, throttle, activity, announcer } = services
  const invited = await store.find(token)
  if (!invited) throw new NotFoundError()
  const { user, purpose } = invited
  if (!mayUsePassword(env, user)) throw new ConflictError('Sign in with the account of your organisation')
  const passwordHash = await hashPassword(await acceptPassword(password, contextOf(services, user)))
  const db = await connect()
  await db.transaction(async (tx) => {
    if ((await store.redeem(tx, token, passwordHash)) === null) throw new NotFoundError()
    const { here, account } = accountKeys(user.email, callerAddress() ?? '')
    await throttle.reset(tx, here, account, secretKey(user.id, 'password'), secretKey(user.id, 'factor'))
    const action = purpose === 'reset' ? 'password-reset' : 'invitation-accepted'
    await activity.recordIn(tx, { userId: user.id, action })
  })
  await announcer.userChanged(user.id)
}

/** After the # the token reaches neither server logs nor a Referer header. */
export function inviteUrl({ auth }: Pick<Env, 'auth'>, token: string, purpose: InvitationPurpose): string {
  return `${auth.url}/invite${purpose === 'reset' ? '?reset' : ''}#${token}`
}

const DAY_MS = 24 * 3_600_000
/** A reset link opens an account in use, so it expires sooner. */
export const VALID_MS: Readonly<Record<InvitationPurpose, number>> = { invitation: 7 * DAY_MS, reset: DAY_MS }

/** Links to set a password, each valid once. Only the hash is stored: a copy of the database opens nothing. */
export function createInvitations({ connect, now }: { connect: Connect; now: () => number }) {
  const open = (token: string) =>
    and(
      eq(invitations.tokenHash, hashOf(token)),
      isNull(invitations.usedAt),
      gt(invitations.expiresAt, new Date(now())),
    )
  return {
    async issue(tx: Db, userId: string, purpose: InvitationPurpose): Promise<string> {
      await withdrawInvitations(tx, userId)
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(now() + VALID_MS[purpose])
      await tx.insert(invitations).values({ tokenHash: hashOf(token), userId, purpose, expiresAt })
      return token
    },
    withdraw: withdrawInvitations,
    async find(token: string): Promise<{ user: StoredUser; purpose: InvitationPurpose } | null> {
      const database = await connect()
      const [found] = await database
        .select({ user: users, purpose: invitations.purpose })
        .from(invitations)
        .innerJoin(users, eq(users.id, invitations.userId))
        .where(and(open(token), eq(users.disabled, false)))
      return found ?? null
    },
    async redeem(tx: Db, token: string, passwordHash: string): Promise<string | null> {
      const usedAt = new Date(now())
      const [row] = await tx.update(invitations).set({ usedAt }).where(open(token)).returning()
      if (row) await setPassword(tx, row.userId, passwordHash, usedAt)
      return row?.userId ?? null
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
