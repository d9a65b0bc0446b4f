import 'server-only'
import type { SignOnCause } from '@/lib/contract/single-sign-on'
import type { Activity } from '@/server/activity/activity'
import type { Connect, Db } from '@/server/db/database'
import type { Env } from '@/server/env'
import { ConflictError } from '@/server/errors'
import type { Invitations } from '@/server/users/invitations'
import type { StoredUser, Users } from '@/server/users/users'
import type { Identities, Identity } from './identities'
import {
  emailOf,
  type Given,
  givenBy,
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
  announcer: { person: (userId: string) => Promise<void> }
}
export type ProviderSignIn = { ok: true; userId: string } | { ok: false; cause: SignOnCause }

/**
 * Lets in whom the provider means: by subject from the second time on, the first time by an e-mail that it vouches for. Where maps are
 * set, role and schools are the provider's at each sign-in: somebody new is made when they give something, and whom they give
 * nothing any more loses sessions and invitations. Every outcome is in the log, by id. `proves`: whom alone it may be, for they are in.
 */
export async function signInByProvider(
  parts: ProviderSignInParts,
  claims: ProviderClaims,
  proves: string | null = null,
): Promise<ProviderSignIn> {
  const { oidc } = parts.env
  const { iss, sub } = claims.idToken
  if (!oidc || typeof iss !== 'string' || typeof sub !== 'string' || sub === '') return refused('token-unreadable')
  const identity = { issuer: iss, subject: sub }
  const db = await parts.connect()
  const { result, changed } = await db.transaction(async (tx) => {
    const outcome = await decide({ parts, oidc, tx, claims, proves }, identity)
    if (!outcome.result.ok) {
      const details = { with: 'oidc', reason: outcome.result.cause }
      await parts.activity.recordIn(tx, { userId: outcome.whose, action: 'sign-in-failed', details })
    }
    return outcome
  })
  // Open streams and other instances narrow or end before the person is answered.
  if (changed !== null) await parts.announcer.person(changed)
  return result
}

function refused(cause: SignOnCause): { ok: false; cause: SignOnCause } {
  return { ok: false, cause }
}

type Oidc = NonNullable<Env['oidc']>
type Within = { parts: ProviderSignInParts; oidc: Oidc; tx: Db; claims: ProviderClaims; proves: string | null }
/** `whose` is for the log of a refusal; `changed` is whose access is other than before. */
type Outcome = { result: ProviderSignIn; whose: string | null; changed: string | null }

async function decide(within: Within, identity: Identity): Promise<Outcome> {
  const { parts, oidc, tx, claims, proves } = within
  // Left out is not taken away, so that nothing is decided about the person.
  const isUndecided = hasGroupOverage(mergedClaims(claims), oidc)
  const found = await whoIs(within, identity)
  if ('cause' in found) return { result: refused(found.cause), whose: found.whose, changed: null }
  const { user } = found
  const whose = user?.id ?? null
  const no = (cause: SignOnCause): Outcome => ({ result: refused(cause), whose, changed: null })
  if (proves !== null && whose !== proves) return no('other-person')
  if (user && (user.disabled || user.demo)) return no('disabled')
  if (isUndecided) return no('group-overage')
  const given = givenBy(mergedClaims(claims), oidc)
  const isNothing = (oidc.roleMap && given.role === null) || (oidc.schoolMap && given.schools === null)
  if (isNothing && user && (user.managed || found.isBound)) {
    await takeAway(within, user)
    return { ...no('nothing-mapped'), changed: user.id }
  }
  if (isNothing) return no('nothing-mapped')
  const person = user ?? (await makePerson(within, given, found.email))
  if (!person) return no('unknown-person')
  if (!found.isBound) {
    const owner = await parts.identities.bind(tx, person.id, identity)
    if (owner !== person.id) return no('bound-otherwise')
    // Whoever finds the link would have a second way into an account that is the provider's from now on.
    await parts.invitations.withdraw(tx, person.id)
    await parts.activity.recordIn(tx, { userId: person.id, action: 'identity-bound' })
  }
  await parts.identities.use(tx, identity)
  await parts.users.activate(person.id, tx)
  const isChanged = await giveAccess(within, person, given)
  const action = proves === null ? 'sign-in' : 'proof-given'
  await parts.activity.recordIn(tx, { userId: person.id, action, details: { with: 'oidc' } })
  return { result: { ok: true, userId: person.id }, whose, changed: isChanged ? person.id : null }
}

type WhoIs =
  | { user: StoredUser | null; email: string | null; isBound: boolean }
  | { cause: SignOnCause; whose: string | null }

/** Once bound, the e-mail says nothing any more: a person may have a new one, and somebody else their old one. */
async function whoIs({ parts, oidc, tx, claims }: Within, identity: Identity): Promise<WhoIs> {
  const boundTo = await parts.identities.find(tx, identity)
  if (boundTo !== null) {
    const user = await parts.users.find(boundTo, tx)
    return user ? { user, email: null, isBound: true } : { cause: 'disabled', whose: boundTo }
  }
  const found = emailOf(claims, oidc)
  if (!found.ok) return { cause: found.cause, whose: null }
  const user = await parts.users.findByEmail(found.email, tx)
  if (user && (await parts.identities.isBoundOtherwise(tx, user.id, identity)))
    return { cause: 'bound-otherwise', whose: user.id }
  return { user, email: found.email, isBound: false }
}

/** Only a role map makes people; without a school map an administrator sets the schools, except for administrators. */
async function makePerson({ parts, tx, claims }: Within, { role, schools }: Given, email: string | null) {
  if (role === null || email === null) return null
  const name = personName(claims, email)
  const reach = schools ?? (role === 'admin' ? 'all' : [])
  const made = await parts.users.create(tx, { email, name, role, schools: reach, passwordHash: null })
  const details = { user: made.id, role, with: 'oidc' }
  await parts.activity.recordIn(tx, { userId: made.id, action: 'user-created', details })
  return made
}

/**
 * Role and schools as the provider gives them; whether anything is other than before. The provider's word holds for the last
 * administrator, too, if its map makes administrators: it can make another. If it makes none, that one stays.
 */
async function giveAccess({ parts, oidc, tx }: Within, user: StoredUser, given: Given): Promise<boolean> {
  if (!oidc.roleMap && !oidc.schoolMap) return false
  const role = given.role ?? user.role
  const schools = given.schools ?? user.schools
  const isSame = role === user.role && sameSchools(schools, user.schools)
  if (isSame && user.managed) return false
  const mayBeLast = oidc.roleMap?.some(({ gives }) => gives === 'admin') ?? false
  const change = { role, schools, managed: true }
  const changed = await parts.users.change(tx, user.id, change, { mayBeLast }).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error
    return parts.users.change(tx, user.id, { schools, managed: true })
  })
  // A password of their own would go on after the provider has taken everything away.
  if (!user.managed) await parts.invitations.withdraw(tx, user.id)
  const details = { user: user.id, role: changed?.role ?? role, schools, with: 'oidc' }
  if (!isSame) await parts.activity.recordIn(tx, { userId: user.id, action: 'user-changed', details })
  return true
}

function sameSchools(a: StoredUser['schools'], b: StoredUser['schools']): boolean {
  const text = (schools: StoredUser['schools']) => (schools === 'all' ? 'all' : JSON.stringify([...schools].sort()))
  return text(a) === text(b)
}

/** The person stays, with all that is theirs, and comes back when the provider gives them something again. */
async function takeAway({ parts, tx }: Within, { id }: StoredUser): Promise<void> {
  const count = await parts.sessions.endAll(tx, id, 'provider')
  await parts.invitations.withdraw(tx, id)
  await parts.activity.recordIn(tx, {
    userId: id,
    action: 'sessions-ended',
    details: { user: id, count, with: 'oidc' },
  })
}
