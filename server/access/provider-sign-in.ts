import { and, eq, or } from 'drizzle-orm'
import type { SignOnCause } from '@/lib/contract/service-report'
import type { Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError, SignOnError } from '@/server/base/errors'
import { type ActivityDetails, users as usersTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import {
  findEmail,
  hasGroupOverage,
  mergeClaims,
  type ProviderClaims,
  readAccess,
  readIdentity,
  readName,
} from './oidc-claims'
import { NO_PASSWORD_LINK, type StoredUser } from './users'

/** Returns the id of the identified user. Throws `SignOnError` if they may not sign in, or are not the expected one. */
export async function signInWithProvider(services: Services, claims: ProviderClaims, expectedUserId?: string) {
  const { connect, activity, announcer, env } = services
  const { oidc } = env
  if (!oidc) throw new SignOnError('setup', 'there is no single sign-on')
  const db = await connect()
  const successAction = expectedUserId === undefined ? 'sign-in' : 'proof-given'
  const resolution = await db.transaction(async (tx) => {
    const result = await resolveUser({ services, oidc, tx }, claims, expectedUserId)
    const { userId, ok } = result
    const details = { with: 'oidc', ...(!ok && { reason: result.error.signOnCause }) }
    await activity.recordIn(tx, { userId, action: ok ? successAction : 'sign-in-failed', details })
    return result
  })
  if (resolution.isAccessChanged && resolution.userId !== null) await announcer.announceUser(resolution.userId)
  if (!resolution.ok) throw resolution.error
  return resolution.userId
}

type ProviderContext = { services: Services; oidc: NonNullable<Env['oidc']>; tx: Db }

/** Refusals are returned, not thrown, so that the transaction keeps what they changed. Their `userId` is logged. */
async function resolveUser(context: ProviderContext, claims: ProviderClaims, expectedUserId?: string) {
  const { services, oidc, tx } = context
  const { users, sessions, activity, now } = services
  const identity = readIdentity(claims)
  const [linkedUser, otherLinkedUser] = await findLinkedUsers(tx, identity)
  // A linked user's e-mail is ignored: it may change and later belong to another user.
  const email = linkedUser ? null : findEmail(claims, oidc)
  const existingUser = linkedUser ?? (email === null ? null : await users.findByEmail(email, tx))
  const record = (action: 'sessions-ended' | 'user-created', userId: string, details: ActivityDetails) =>
    activity.recordIn(tx, { userId, action, details: { user: userId, with: 'oidc', ...details } })
  const refuse = (cause: SignOnCause, detail = 'see the activity log') => {
    const error = new SignOnError(cause, detail)
    return { ok: false as const, userId: existingUser?.id ?? null, isAccessChanged: false, error }
  }

  if (!linkedUser && email === null) return refuse('email-unverified')
  if (expectedUserId !== undefined && existingUser?.id !== expectedUserId) return refuse('other-account')
  if (existingUser?.disabled || existingUser?.demo) return refuse('disabled')
  // Either two users share this identity, or the owner of the e-mail is linked to another one of this provider.
  if (otherLinkedUser || (!linkedUser && existingUser?.issuer === identity.issuer)) return refuse('other-account')

  const mergedClaims = mergeClaims(claims)
  // Access stays as it is if the provider left groups out of the token, because that revokes none.
  if (hasGroupOverage(mergedClaims, oidc))
    return refuse('setup', 'too many groups, so Entra ID sent none: send only groups assigned to the application')
  const grantedAccess = readAccess(mergedClaims, oidc)
  if ((oidc.roleMap && grantedAccess.role === null) || (oidc.schoolMap && grantedAccess.schools === null)) {
    // A user whom an administrator only added, and who never signed in here, keeps the link to set a password.
    if (!existingUser || (!linkedUser && !existingUser.managed)) return refuse('no-access')
    const count = await sessions.endAll(tx, existingUser.id, 'provider')
    await tx.update(usersTable).set(NO_PASSWORD_LINK).where(eq(usersTable.id, existingUser.id))
    await record('sessions-ended', existingUser.id, { count })
    return { ...refuse('no-access'), isAccessChanged: true }
  }

  let user = existingUser
  if (user === null) {
    // Only a role map creates users; without a school map an administrator sets the schools.
    const { role, schools } = grantedAccess
    if (role === null || email === null) return refuse('unknown-person')
    const newUser = { email, name: readName(claims, email), role, passwordHash: null }
    user = await users.create(tx, { ...newUser, schools: schools ?? (role === 'admin' ? 'all' : []) })
    await record('user-created', user.id, { role })
  }
  // A new link to the provider revokes the one to set a password, which would be a second way into the account.
  const set = { ...identity, activatedAt: user.activatedAt ?? new Date(now()), ...(!linkedUser && NO_PASSWORD_LINK) }
  await tx.update(usersTable).set(set).where(eq(usersTable.id, user.id))
  if (!linkedUser) await activity.recordIn(tx, { userId: user.id, action: 'identity-bound' })
  return { ok: true as const, userId: user.id, isAccessChanged: await updateAccess(context, user, grantedAccess) }
}

function findLinkedUsers(tx: Db, { issuer, subject, oid }: ReturnType<typeof readIdentity>) {
  const sameSubject = or(eq(usersTable.subject, subject), oid === null ? undefined : eq(usersTable.oid, oid))
  return tx
    .select()
    .from(usersTable)
    .where(and(eq(usersTable.issuer, issuer), sameSubject))
}

/** Returns whether access has changed. The last administrator keeps the role unless a map can create another. */
async function updateAccess(context: ProviderContext, user: StoredUser, granted: ReturnType<typeof readAccess>) {
  const { services, oidc, tx } = context
  const { users, activity } = services
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = granted.role ?? user.role
  const schools = granted.schools ?? user.schools
  if (user.managed && isSameAccess(user, { role, schools })) return false
  const mayDemoteLast = oidc.roleMap?.some(({ grants }) => grants === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changedUser = await users.change(tx, user.id, change, { mayDemoteLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return users.change(tx, user.id, { schools, managed: true })
  })
  const isChanged = !isSameAccess(user, changedUser)
  const details = { user: user.id, role: changedUser.role, schools, with: 'oidc' }
  if (isChanged) await activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return isChanged || !user.managed
}

type Access = Pick<StoredUser, 'role' | 'schools'>

function isSameAccess(a: Access, b: Access) {
  const toSortedText = ({ schools }: Access) => (schools === 'all' ? 'all' : JSON.stringify([...schools].sort()))
  return a.role === b.role && toSortedText(a) === toSortedText(b)
}
