import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import type { SignOnCause } from '@/lib/contract/feed-status'
import { identities } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { accessFrom, emailOf, hasGroupOverage, mergedClaims, personName, subjectsOf } from './oidc-claims'
import type { ProviderAccess, ProviderClaims } from './oidc-claims'
import { SignOnError } from './provider-check'
import type { StoredUser } from './users'

type Entry = { services: Services; oidc: NonNullable<Env['oidc']>; tx: Db; claims: ProviderClaims }
/** `user` is logged with a refusal; `isChanged` where the user's access has changed. */
type Outcome =
  | { ok: true; user: string; isChanged: boolean }
  | { ok: false; user: string | null; isChanged: boolean; cause: SignOnCause; detail: string }

/**
 * Answers the user's id. Found by subject; the first time by a verified e-mail. `SignOnError` for who may not come in;
 * `proves` is the only user it may be.
 */
export async function signInByProvider(
  services: Services,
  claims: ProviderClaims,
  proves: string | null = null,
): Promise<string> {
  const { connect, activity, announcer, env } = services
  const { oidc } = env
  if (!oidc) throw new SignOnError('setup', 'there is no single sign-on')
  const db = await connect()
  const outcome = await db.transaction(async (tx) => {
    const decided = await decide({ services, oidc, tx, claims }, proves)
    const action = !decided.ok ? 'sign-in-failed' : proves === null ? 'sign-in' : 'proof-given'
    const details = { with: 'oidc', ...(!decided.ok && { reason: decided.cause }) }
    await activity.recordIn(tx, { userId: decided.user, action, details })
    return decided
  })
  if (outcome.isChanged && outcome.user !== null) await announcer.userChanged(outcome.user)
  if (!outcome.ok) throw new SignOnError(outcome.cause, outcome.detail)
  return outcome.user
}

async function decide(entry: Entry, proves: string | null): Promise<Outcome> {
  const { services, oidc, tx, claims } = entry
  const { identities: links, users, invitations, activity } = services
  const issuer = String(claims.idToken.iss)
  const linked = await links.find(tx, issuer, subjectsOf(claims))
  const email = linked === null ? emailOf(claims, oidc) : null
  // Once linked, the e-mail no longer counts: it may change, and later belong to another user.
  const found = await (linked === null ? users.findByEmail(email ?? '', tx) : users.find(linked, tx))
  const user = found?.id ?? linked
  const refused = (cause: SignOnCause, { isChanged = false, detail = 'see the activity log' } = {}): Outcome => {
    return { ok: false, user, isChanged, cause, detail }
  }
  if (linked === null && email === null) return refused('email-unverified')
  if (proves !== null && user !== proves) return refused('other-account')
  if (user !== null && (found === null || found.disabled || found.demo)) return refused('disabled')
  if (linked === null && found && (await links.isBound(tx, issuer, found.id))) return refused('other-account')
  // Groups that were left out are not revoked groups, so nothing is decided.
  if (hasGroupOverage(mergedClaims(claims), oidc)) return refused('setup', { detail: OVERAGE })
  const given = accessFrom(mergedClaims(claims), oidc)
  if ((oidc.roleMap && given.role === null) || (oidc.schoolMap && given.schools === null)) {
    if (!found || !(found.managed || linked !== null)) return refused('no-access')
    await revokeAccess(entry, found)
    return refused('no-access', { isChanged: true })
  }
  const account = found ?? (await createUser(entry, given, email ?? ''))
  if (account === null) return refused('unknown-person')
  await links.bind(tx, issuer, subjectsOf(claims), account.id)
  if (linked === null) {
    // The invitation would be a second way into an account that now belongs to the provider.
    await invitations.withdraw(tx, account.id)
    await activity.recordIn(tx, { userId: account.id, action: 'identity-bound' })
  }
  await users.activate(account.id, tx)
  return { ok: true, user: account.id, isChanged: await giveAccess(entry, account, given) }
}

const OVERAGE = 'too many groups, so Entra ID sent none: send only groups assigned to the application'

/** Only a role map creates users; without a school map an administrator sets the schools. */
async function createUser({ services, tx, claims }: Entry, { role, schools }: ProviderAccess, email: string) {
  if (role === null) return null
  const person = { email, name: personName(claims, email), role, passwordHash: null }
  const user = await services.users.create(tx, { ...person, schools: schools ?? (role === 'admin' ? 'all' : []) })
  const details = { user: user.id, role, with: 'oidc' }
  await services.activity.recordIn(tx, { userId: user.id, action: 'user-created', details })
  return user
}

/** The last administrator loses the role only if the map can make another. */
async function giveAccess({ services, oidc, tx }: Entry, user: StoredUser, given: ProviderAccess): Promise<boolean> {
  const { users, invitations, activity } = services
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = given.role ?? user.role
  const schools = given.schools ?? user.schools
  const isSame = role === user.role && inOrder(schools) === inOrder(user.schools)
  if (isSame && user.managed) return false
  const mayBeLast = oidc.roleMap?.some(({ grants }) => grants === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changed = await users.change(tx, user.id, change, { mayBeLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return users.change(tx, user.id, { schools, managed: true })
  })
  // Their own password would survive the provider's revocation.
  if (!user.managed) await invitations.withdraw(tx, user.id)
  const details = { user: user.id, role: changed?.role ?? role, schools, with: 'oidc' }
  if (!isSame) await activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return true
}

function inOrder(schools: StoredUser['schools']): string {
  return schools === 'all' ? 'all' : JSON.stringify([...schools].sort())
}

async function revokeAccess({ services, tx }: Entry, { id }: StoredUser): Promise<void> {
  const { sessions, invitations, activity } = services
  const count = await sessions.endAll(tx, id, 'provider')
  await invitations.withdraw(tx, id)
  const details = { user: id, count, with: 'oidc' }
  await activity.recordIn(tx, { userId: id, action: 'sessions-ended', details })
}

/** Which user a provider's subject is (OpenID Connect Core 1.0, section 5.7): linked once, by e-mail. */
export function createIdentities({ connect, now }: { connect: Connect; now: () => number }) {
  const find = async (tx: Db, issuer: string, subjects: readonly string[]): Promise<string | null> => {
    const rows = await tx
      .select()
      .from(identities)
      .where(and(eq(identities.issuer, issuer), inArray(identities.subject, [...subjects])))
    return (
      subjects.map((subject) => rows.find((row) => row.subject === subject)?.userId).find((id) => id !== undefined) ??
      null
    )
  }
  return {
    find,
    isBound: async (tx: Db, issuer: string, userId: string): Promise<boolean> =>
      (await tx.$count(identities, and(eq(identities.userId, userId), eq(identities.issuer, issuer)))) > 0,
    async bind(tx: Db, issuer: string, subjects: readonly string[], userId: string): Promise<void> {
      const at = new Date(now())
      const rows = subjects.map((subject) => ({ issuer, subject, userId, createdAt: at, lastUsedAt: at }))
      const target = [identities.issuer, identities.subject]
      await tx
        .insert(identities)
        .values(rows)
        .onConflictDoUpdate({ target, set: { lastUsedAt: at } })
    },
    async unbind(tx: Db, userId: string): Promise<number> {
      return (await tx.delete(identities).where(eq(identities.userId, userId)).returning()).length
    },
    async boundUsers(): Promise<Set<string>> {
      const rows = await (await connect()).selectDistinct({ userId: identities.userId }).from(identities)
      return new Set(rows.map(({ userId }) => userId))
    },
  }
}
