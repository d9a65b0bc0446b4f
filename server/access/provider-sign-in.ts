import { and, eq, or } from 'drizzle-orm'
import type { SignOnCause } from '@/lib/contract/service-report'
import type { Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError, SignOnError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { findEmail, hasGroupOverage, mergeClaims, type ProviderClaims } from './oidc-claims'
import { readAccess, readIdentity, readName } from './oidc-claims'
import { NO_LINK, type StoredUser } from './users'

/** Returns the id of the user whom the provider identified. Throws `SignOnError` for one who may not, or is another. */
export async function signInWithProvider(services: Services, claims: ProviderClaims, expectedUserId?: string) {
  const { connect, activity, announcer, env } = services
  const { oidc } = env
  if (!oidc) throw new SignOnError('setup', 'there is no single sign-on')
  const db = await connect()
  const successAction = expectedUserId === undefined ? 'sign-in' : 'proof-given'
  const outcome = await db.transaction(async (tx) => {
    const resolved = await resolveUser({ services, oidc, tx }, claims, expectedUserId)
    const { userId, ok } = resolved
    const details = { with: 'oidc', ...(!ok && { reason: resolved.error.signOnCause }) }
    await activity.recordIn(tx, { userId, action: ok ? successAction : 'sign-in-failed', details })
    return resolved
  })
  if (outcome.isAccessChanged && outcome.userId !== null) await announcer.announceUser(outcome.userId)
  if (!outcome.ok) throw outcome.error
  return outcome.userId
}

type ProviderContext = { services: Services; oidc: NonNullable<Env['oidc']>; tx: Db }

/** Refusals are returned, since the transaction must keep what they changed. Their `userId` is for the log. */
async function resolveUser(context: ProviderContext, claims: ProviderClaims, expectedUserId?: string) {
  const { services, oidc, tx } = context
  const { users, sessions, activity, now } = services
  const identity = readIdentity(claims)
  const [linkedUser, otherLinkedUser] = await findLinkedUsers(tx, identity)
  // A linked user's e-mail is ignored: it may change and later belong to another user.
  const email = linkedUser ? null : findEmail(claims, oidc)
  const found = linkedUser ?? (email === null ? null : await users.findByEmail(email, tx))
  const refuse = (cause: SignOnCause, detail = 'see the activity log') => {
    const error = new SignOnError(cause, detail)
    return { ok: false as const, userId: found?.id ?? null, isAccessChanged: false, error }
  }

  if (!linkedUser && email === null) return refuse('email-unverified')
  if (expectedUserId !== undefined && found?.id !== expectedUserId) return refuse('other-account')
  if (found?.disabled || found?.demo) return refuse('disabled')
  // Either two users share this identity, or the owner of the e-mail is linked to another one of this provider.
  if (otherLinkedUser || (!linkedUser && found?.issuer === identity.issuer)) return refuse('other-account')

  const merged = mergeClaims(claims)
  // Access stays as it is if the provider left groups out of the token, because that revokes none.
  if (hasGroupOverage(merged, oidc))
    return refuse('setup', 'too many groups, so Entra ID sent none: send only groups assigned to the application')
  const granted = readAccess(merged, oidc)
  if ((oidc.roleMap && granted.role === null) || (oidc.schoolMap && granted.schools === null)) {
    // A user whom an administrator only added, and who never signed in here, keeps the link to set a password.
    if (!found || (!linkedUser && !found.managed)) return refuse('no-access')
    const count = await sessions.endAll(tx, found.id, 'provider')
    await tx.update(usersTable).set(NO_LINK).where(eq(usersTable.id, found.id))
    const details = { user: found.id, count, with: 'oidc' }
    await activity.recordIn(tx, { userId: found.id, action: 'sessions-ended', details })
    return { ...refuse('no-access'), isAccessChanged: true }
  }

  let user = found
  if (user === null) {
    // Only a role map creates users; without a school map an administrator sets the schools.
    const { role, schools } = granted
    if (role === null || email === null) return refuse('unknown-person')
    const newUser = { email, name: readName(claims, email), role, passwordHash: null }
    user = await users.create(tx, { ...newUser, schools: schools ?? (role === 'admin' ? 'all' : []) })
    const details = { user: user.id, role, with: 'oidc' }
    await activity.recordIn(tx, { userId: user.id, action: 'user-created', details })
  }
  // A new link to the provider revokes the one to set a password, which would be a second way into the account.
  const set = { ...identity, activatedAt: user.activatedAt ?? new Date(now()), ...(!linkedUser && NO_LINK) }
  await tx.update(usersTable).set(set).where(eq(usersTable.id, user.id))
  if (!linkedUser) await activity.recordIn(tx, { userId: user.id, action: 'identity-bound' })
  return { ok: true as const, userId: user.id, isAccessChanged: await updateAccess(context, user, granted) }
}

function findLinkedUsers(tx: Db, { issuer, subject, oid }: ReturnType<typeof readIdentity>) {
  const sameSubject = or(eq(usersTable.subject, subject), oid === null ? undefined : eq(usersTable.oid, oid))
  return tx
    .select()
    .from(usersTable)
    .where(and(eq(usersTable.issuer, issuer), sameSubject))
}

/** Tells whether access has changed. The last administrator keeps the role unless the map can create another. */
async function updateAccess(context: ProviderContext, user: StoredUser, granted: ReturnType<typeof readAccess>) {
  const { services, oidc, tx } = context
  const { users, activity } = services
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = granted.role ?? user.role
  const schools = granted.schools ?? user.schools
  const isSame = role === user.role && toSortedText(schools) === toSortedText(user.schools)
  if (isSame && user.managed) return false
  const mayDemoteLast = oidc.roleMap?.some(({ grants }) => grants === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changed = await users.change(tx, user.id, change, { mayDemoteLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return users.change(tx, user.id, { schools, managed: true })
  })
  // From now on no link to set a password is open, because it would survive a revocation by the provider.
  if (!user.managed) await tx.update(usersTable).set(NO_LINK).where(eq(usersTable.id, user.id))
  const details = { user: user.id, role: changed.role, schools, with: 'oidc' }
  if (!isSame) await activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return true
}

function toSortedText(schools: StoredUser['schools']) {
  return schools === 'all' ? 'all' : JSON.stringify([...schools].sort())
}
