import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Body } from '@/lib/contract/endpoints'
import { toInvitePath } from '@/lib/contract/invite-link'
import { DAY_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import { findCallerAddress } from '@/server/base/request-context'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { hashNewPassword } from './passwords'
import { mayUsePassword } from './password-access'
import { toAccountAttemptKeys, toSecretAttemptKey } from './throttle'
import { setPassword, type StoredUser } from './users'

/** A reset link opens an account in use, so it expires sooner. */
export const LINK_TTL_MS = { invitation: 7 * DAY_MS, reset: DAY_MS }

/** Replaces the user's link, which is valid once. Its token stands after the #, so no log and no Referer gets it. */
export async function createPasswordLink({ env, now }: Services, tx: Db, user: StoredUser) {
  const kind = user.activatedAt === null ? 'invitation' : 'reset'
  const token = randomBytes(32).toString('base64url')
  const set = { linkHash: hashToken(token), linkExpiresAt: new Date(now() + LINK_TTL_MS[kind]) }
  await tx.update(users).set(set).where(eq(users.id, user.id))
  return { kind, url: env.auth.url + toInvitePath({ token, isReset: kind === 'reset' }) } as const
}

/** Sets a password by a link. Every invalid token fails alike, before the slow hash of the password. */
export async function acceptPasswordLink(services: Services, _viewer: null, body: Body<'POST /api/invitations'>) {
  const { token, password } = body
  const { connect, env, now, throttle, activity, announcer } = services
  const linkWithToken = eq(users.linkHash, hashToken(token))
  const validLink = and(linkWithToken, gt(users.linkExpiresAt, new Date(now())), eq(users.disabled, false))
  const queryUser = (db: Db) => db.select().from(users).where(validLink)
  const db = await connect()
  const [user] = await queryUser(db)
  if (!user) throw new NotFoundError()
  if (!mayUsePassword(env, user)) throw new ConflictError('Sign in with the account of your organisation')
  const passwordHash = await hashNewPassword(services, user, password)
  await db.transaction(async (tx) => {
    // The row lock makes the second of two simultaneous uses fail.
    if ((await queryUser(tx).for('update')).length === 0) throw new NotFoundError()
    await setPassword(tx, user, { passwordHash, nowMs: now() })
    const accountKeys = toAccountAttemptKeys(user.email, findCallerAddress() ?? '')
    const secretKeys = [toSecretAttemptKey(user.id, 'password'), toSecretAttemptKey(user.id, 'factor')]
    await throttle.reset(tx, ...Object.values(accountKeys), ...secretKeys)
    const action = user.activatedAt === null ? 'invitation-accepted' : 'password-reset'
    await activity.recordIn(tx, { userId: user.id, action })
  })
  await announcer.announceUser(user.id)
}

function hashToken(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
