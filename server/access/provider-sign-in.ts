import 'server-only'
import { and, eq, or } from 'drizzle-orm'
import type { SignOnCause } from '@/lib/contract/feed-status'
import type { Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import { users as table } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { readAccess, readIdentity, findEmail, hasGroupOverage, mergeClaims, readName } from './oidc-claims'
import type { ProviderClaims } from './oidc-claims'
import { SignOnError } from './provider-discovery'
import { NO_LINK, type StoredUser } from './users'

/**
 * Answers the user's id. Found by subject; the first time by a verified e-mail. `SignOnError` for who may not come in;
 * `proves` is the only user it may be.
 */
export async function signInWithProvider(services: Services, claims: ProviderClaims, expectedUserId: string | null = null) {
  const { connect, activity, announcer, env } = services
  const { oidc } = env
  if (!oidc) throw new SignOnError('setup', 'there is no single sign-on')
  const db = await connect()
  const outcome = await db.transaction(async (tx) => {
    const decided = await resolveUser({ services, oidc, tx }, claims, expectedUserId)
    const action = !decided.ok ? 'sign-in-failed' : expectedUserId === null ? 'sign-in' : 'proof-given'
    const details = { with: 'oidc', ...(!decided.ok && { reason: decided.error.cause }) }
    await activity.recordIn(tx, { userId: decided.userId, action, details })
    return decided
  })
  if (outcome.isChanged && outcome.userId !== null) await announcer.announceUser(outcome.userId)
  if (!outcome.ok) throw outcome.error
  return outcome.userId
}

type ProviderContext = { services: Services; oidc: NonNullable<Env['oidc']>; tx: Db }
/** `user` is logged with a refusal, too; `isChanged` where the user's access has changed. */
type SignInOutcome =
  | { ok: true; userId: string; isChanged: boolean }
  | { ok: false; userId: string | null; isChanged: boolean; error: SignOnError }

async function resolveUser(provider: ProviderContext, claims: ProviderClaims, expectedUserId: string | null): Promise<SignInOutcome> {
  const { services, oidc, tx } = provider
  const { users, sessions, activity, now } = services
  const merged = mergeClaims(claims)
  const account = readIdentity(claims)
  const { issuer, subject, oid } = account
  const isNamed = or(eq(table.subject, subject), oid === null ? undefined : eq(table.oid, oid))
  const isLinked = and(eq(table.issuer, issuer), isNamed)
  const linkedUsers = await tx.select().from(table).where(isLinked)
  const linked = linkedUsers[0] ?? null
  const email = linked === null ? findEmail(claims, oidc) : null
  // Once linked, the e-mail no longer counts: it may change, and later belong to another user.
  const found = linked ?? (email === null ? null : await users.findByEmail(email, tx))
  const refused = (cause: SignOnCause, detail = 'see the activity log', isChanged = false): SignInOutcome => {
    return { ok: false, userId: found?.id ?? null, isChanged, error: new SignOnError(cause, detail) }
  }
  if (linked === null && email === null) return refused('email-unverified')
  if (expectedUserId !== null && found?.id !== expectedUserId) return refused('other-account')
  if (found?.disabled || found?.demo) return refused('disabled')
  const isAnothers = linked === null ? found?.issuer === issuer : linkedUsers.length > 1
  if (isAnothers) return refused('other-account')
  // Groups that were left out are not revoked groups, so nothing is decided.
  if (hasGroupOverage(merged, oidc))
    return refused('setup', 'too many groups, so Entra ID sent none: send only groups assigned to the application')
  const granted = readAccess(merged, oidc)
  if ((oidc.roleMap && granted.role === null) || (oidc.schoolMap && granted.schools === null)) {
    if (!found || !(found.managed || linked !== null)) return refused('no-access')
    const count = await sessions.endAll(tx, found.id, 'provider')
    await tx.update(table).set(NO_LINK).where(eq(table.id, found.id))
    const details = { user: found.id, count, with: 'oidc' }
    await activity.recordIn(tx, { userId: found.id, action: 'sessions-ended', details })
    return refused('no-access', undefined, true)
  }
  let user = found
  if (user === null) {
    // Only a role map creates users; without a school map an administrator sets the schools.
    const { role, schools } = granted
    if (role === null || email === null) return refused('unknown-person')
    const person = { email, name: readName(claims, email), role, passwordHash: null }
    user = await users.create(tx, { ...person, schools: schools ?? (role === 'admin' ? 'all' : []) })
    const details = { user: user.id, role, with: 'oidc' }
    await activity.recordIn(tx, { userId: user.id, action: 'user-created', details })
  }
  // The link to set a password would be a second way into an account that now belongs to the provider.
  const set = { ...account, activatedAt: user.activatedAt ?? new Date(now()), ...(linked === null && NO_LINK) }
  await tx.update(table).set(set).where(eq(table.id, user.id))
  if (linked === null) await activity.recordIn(tx, { userId: user.id, action: 'identity-bound' })
  return { ok: true, userId: user.id, isChanged: await updateAccess(provider, user, granted) }
}

/** The last administrator loses the role only if the map can make another. */
async function updateAccess({ services, oidc, tx }: ProviderContext, user: StoredUser, granted: ReturnType<typeof readAccess>) {
  const { users, activity } = services
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = granted.role ?? user.role
  const schools = granted.schools ?? user.schools
  const isSame = role === user.role && toSortedText(schools) === toSortedText(user.schools)
  if (isSame && user.managed) return false
  const mayBeLast = oidc.roleMap?.some(({ grants }) => grants === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changed = await users.change(tx, user.id, change, { mayBeLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return users.change(tx, user.id, { schools, managed: true })
  })
  // Their own password would survive the provider's revocation.
  if (!user.managed) await tx.update(table).set(NO_LINK).where(eq(table.id, user.id))
  const details = { user: user.id, role: changed?.role ?? role, schools, with: 'oidc' }
  if (!isSame) await activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return true
}

function toSortedText(schools: StoredUser['schools']): string {
  return schools === 'all' ? 'all' : JSON.stringify([...schools].sort())
}
