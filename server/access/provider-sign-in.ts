import 'server-only'
import type { SignOnCause } from '@/lib/contract/feed-status'
import { and, eq, ne } from 'drizzle-orm'
import type { Activity } from './activity'
import { identities } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import type { Invitations } from './invitations'
import type { StoredUser, Users } from './users'
import type { UserAnnouncer } from './command'
import {
  emailOf,
  type ProviderAccess,
  accessFrom,
  hasGroupOverage,
  mergedClaims,
  personName,
  type ProviderClaims,
} from './oidc-claims'
import type { Sessions } from './sessions'

export type ProviderSignInParts = {
  connect: Connect
  env: Pick<Env, 'oidc'>
  users: Pick<Users, 'find' | 'findByEmail' | 'create' | 'change' | 'activate'>
  identities: Pick<Identities, 'find' | 'bind' | 'use' | 'isBoundOtherwise'>
  sessions: Pick<Sessions, 'endAll'>
  invitations: Pick<Invitations, 'withdraw'>
  activity: Pick<Activity, 'recordIn'>
  announcer: UserAnnouncer
}
export type ProviderSignIn = { ok: true; userId: string } | { ok: false; cause: SignOnCause }

/** Found by subject; the first time by a verified e-mail. `proves`: the only user it may be. */
export async function signInByProvider(
  parts: ProviderSignInParts,
  claims: ProviderClaims,
  proves: string | null = null,
): Promise<ProviderSignIn> {
  const { oidc } = parts.env
  const { iss, sub } = claims.idToken
  if (!oidc || typeof iss !== 'string' || typeof sub !== 'string' || sub === '')
    return { ok: false, cause: 'token-unreadable' }
  const identity = { issuer: iss, subject: sub }
  const db = await parts.connect()
  const { result, changed } = await db.transaction(async (tx) => {
    const outcome = await decide({ parts, oidc, tx, claims, proves }, identity)
    if (!outcome.result.ok) {
      const details = { with: 'oidc', reason: outcome.result.cause }
      await parts.activity.recordIn(tx, { userId: outcome.matchedUser, action: 'sign-in-failed', details })
    }
    return outcome
  })
  if (changed !== null) await parts.announcer.userChanged(changed)
  return result
}

type Oidc = NonNullable<Env['oidc']>
type Within = { parts: ProviderSignInParts; oidc: Oidc; tx: Db; claims: ProviderClaims; proves: string | null }
/** `matchedUser` is logged with a refusal; `changed` is the user whose access has changed. */
type Outcome = { result: ProviderSignIn; matchedUser: string | null; changed: string | null }

async function decide(within: Within, identity: Identity): Promise<Outcome> {
  const { parts, oidc, tx, claims, proves } = within
  const found = await findUser(within, identity)
  const matchedUser = 'cause' in found ? found.matchedUser : (found.user?.id ?? null)
  const refuse = (cause: SignOnCause, changed: string | null = null): Outcome => {
    return { result: { ok: false, cause }, matchedUser, changed }
  }
  if ('cause' in found) return refuse(found.cause)
  const { user } = found
  if (proves !== null && matchedUser !== proves) return refuse('other-person')
  if (user && (user.disabled || user.demo)) return refuse('disabled')
  // Omitted groups are not revoked groups, so nothing is decided.
  if (hasGroupOverage(mergedClaims(claims), oidc)) return refuse('group-overage')
  const given = accessFrom(mergedClaims(claims), oidc)
  if ((oidc.roleMap && given.role === null) || (oidc.schoolMap && given.schools === null)) {
    if (!user || !(user.managed || found.isBound)) return refuse('nothing-mapped')
    await revokeAccess(within, user)
    return refuse('nothing-mapped', user.id)
  }
  const account = user ?? (await createUser(within, given, found.email))
  if (!account) return refuse('unknown-person')
  if (!found.isBound) {
    const owner = await parts.identities.bind(tx, account.id, identity)
    if (owner !== account.id) return refuse('bound-otherwise')
    // The link would be a second way into an account that now belongs to the provider.
    await parts.invitations.withdraw(tx, account.id)
    await parts.activity.recordIn(tx, { userId: account.id, action: 'identity-bound' })
  }
  await parts.identities.use(tx, identity)
  await parts.users.activate(account.id, tx)
  const isChanged = await giveAccess(within, account, given)
  const action = proves === null ? 'sign-in' : 'proof-given'
  await parts.activity.recordIn(tx, { userId: account.id, action, details: { with: 'oidc' } })
  return { result: { ok: true, userId: account.id }, matchedUser, changed: isChanged ? account.id : null }
}

type FoundUser =
  | { user: StoredUser | null; email: string | null; isBound: boolean }
  | { cause: SignOnCause; matchedUser: string | null }

/** Once bound, the e-mail no longer counts: it may change, and later belong to another user. */
async function findUser({ parts, oidc, tx, claims }: Within, identity: Identity): Promise<FoundUser> {
  const boundTo = await parts.identities.find(tx, identity)
  if (boundTo !== null) {
    const user = await parts.users.find(boundTo, tx)
    return user ? { user, email: null, isBound: true } : { cause: 'disabled', matchedUser: boundTo }
  }
  const found = emailOf(claims, oidc)
  if (!found.ok) return { cause: found.cause, matchedUser: null }
  const user = await parts.users.findByEmail(found.email, tx)
  if (user && (await parts.identities.isBoundOtherwise(tx, user.id, identity)))
    return { cause: 'bound-otherwise', matchedUser: user.id }
  return { user, email: found.email, isBound: false }
}

/** Only a role map creates users; without a school map an administrator sets the schools. */
async function createUser({ parts, tx, claims }: Within, { role, schools }: ProviderAccess, email: string | null) {
  if (role === null || email === null) return null
  const name = personName(claims, email)
  const scope = schools ?? (role === 'admin' ? 'all' : [])
  const made = await parts.users.create(tx, { email, name, role, schools: scope, passwordHash: null })
  const details = { user: made.id, role, with: 'oidc' }
  await parts.activity.recordIn(tx, { userId: made.id, action: 'user-created', details })
  return made
}

/** The last administrator loses the role only if the map can make another. */
async function giveAccess({ parts, oidc, tx }: Within, user: StoredUser, given: ProviderAccess): Promise<boolean> {
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = given.role ?? user.role
  const schools = given.schools ?? user.schools
  const isSame = role === user.role && inOrder(schools) === inOrder(user.schools)
  if (isSame && user.managed) return false
  const mayBeLast = oidc.roleMap?.some(({ grants }) => grants === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changed = await parts.users.change(tx, user.id, change, { mayBeLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return parts.users.change(tx, user.id, { schools, managed: true })
  })
  // Their own password would survive the provider's revocation.
  if (!user.managed) await parts.invitations.withdraw(tx, user.id)
  const details = { user: user.id, role: changed?.role ?? role, schools, with: 'oidc' }
  if (!isSame) await parts.activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return true
}

function inOrder(schools: StoredUser['schools']): string {
  return schools === 'all' ? 'all' : JSON.stringify([...schools].sort())
}

async function revokeAccess({ parts, tx }: Within, { id }: StoredUser): Promise<void> {
  const count = await parts.sessions.endAll(tx, id, 'provider')
  await parts.invitations.withdraw(tx, id)
  const details = { user: id, count, with: 'oidc' }
  await parts.activity.recordIn(tx, { userId: id, action: 'sessions-ended', details })
}

/** A permanent and unique name of a user at a provider (OpenID Connect Core 1.0, section 5.7). */
export type Identity = { issuer: string; subject: string }
export type Identities = ReturnType<typeof createIdentities>

/** Which user each identity belongs to. It is bound once, by e-mail; after that e-mails are ignored. */
export function createIdentities({ connect, now }: { connect: Connect; now: () => number }) {
  const isIt = ({ issuer, subject }: Identity) => and(eq(identities.issuer, issuer), eq(identities.subject, subject))
  const find = async (tx: Db, identity: Identity): Promise<string | null> => {
    const [row] = await tx.select({ userId: identities.userId }).from(identities).where(isIt(identity))
    return row?.userId ?? null
  }
  return {
    find,
    async isBoundOtherwise(tx: Db, userId: string, { issuer, subject }: Identity): Promise<boolean> {
      const isTheirs = and(eq(identities.userId, userId), eq(identities.issuer, issuer))
      return (await tx.$count(identities, and(isTheirs, ne(identities.subject, subject)))) > 0
    },
    async bind(tx: Db, userId: string, identity: Identity): Promise<string> {
      const at = new Date(now())
      const row = { ...identity, userId, createdAt: at, lastUsedAt: at }
      await tx.insert(identities).values(row).onConflictDoNothing()
      return (await find(tx, identity)) ?? userId
    },
    async use(tx: Db, identity: Identity): Promise<void> {
      const set = { lastUsedAt: new Date(now()) }
      await tx.update(identities).set(set).where(isIt(identity))
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
