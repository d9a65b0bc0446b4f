import 'server-only'
import type { GivenProof, ProofWaysAnswer } from '@/lib/contract/second-factor'
import type { Activity } from '@/server/activity/activity'
import type { Env } from '@/server/env'
import {
  ConflictError,
  ProofNeededError,
  TooManyTriesError,
  UnauthenticatedError,
  WrongProofError,
} from '@/server/errors'
import type { Settings } from '@/server/settings/settings'
import type { Users } from '@/server/users/users'
import { challengeOf } from './passkey-challenge'
import { mayUsePassword } from './password-sign-in'
import { matchesPassword } from './passwords'
import { type Secret, secretKey } from './secret-counters'
import { type GivenFactor, secretGiven, type SecondFactors } from './second-factors'
import type { Session } from './session-cookie'
import type { ProviderCheck } from './provider-check'
import type { Sessions, StoredSession } from './sessions'
import { getSignInRules } from './sign-in-rules'
import type { Throttle } from './throttle'
import type { Allowed, Viewer } from './viewer'

type Asking = {
  env: Pick<Env, 'mode'>
  now: () => number
  viewers: { stored: (session: Session) => Promise<StoredSession | null> }
  providerCheck: Pick<ProviderCheck, 'canProve'> | null
}

export const PROOF_HOLDS_MS = 10 * 60_000

/**
 * Before something weighty: `ProofNeededError` unless the person has shown who they are within the last ten minutes, at
 * sign-in or since (ASVS 5.0, 7.5). Whoever came by a provider is asked there, and not at all where it does not say when it
 * asked; nor is anybody in the demo, whose secrets are known to everybody.
 */
export async function requireProof({ env, now, viewers, providerCheck }: Asking, session: Session): Promise<void> {
  if (env.mode === 'demo') return
  const stored = await viewers.stored(session)
  if (!stored) throw new UnauthenticatedError()
  if (stored.method === 'oidc' && providerCheck?.canProve() !== true) return
  if (now() - stored.provedAt.getTime() > PROOF_HOLDS_MS) throw new ProofNeededError()
}

/** Before so many leads leave Intag: `ProofNeededError` when they are more than the rules say. */
export async function requireProofForMany(
  parts: Asking & { settings: Settings },
  viewer: Allowed<'leads:export'>,
  session: Session,
  count: number,
): Promise<void> {
  const { proofAboveLeads } = await getSignInRules(parts, viewer)
  if (count > proofAboveLeads) await requireProof(parts, session)
}

type Proving = {
  env: Pick<Env, 'oidc' | 'passwordSignIn'>
  viewers: Asking['viewers']
  users: Pick<Users, 'find'>
  secondFactors: Pick<SecondFactors, 'check' | 'list'>
  sessions: Pick<Sessions, 'proved'>
  throttle: Throttle
  activity: Pick<Activity, 'record'>
  announcer: { person: (userId: string) => Promise<void> }
  now: () => number
}

/** With what somebody can show who they are: at the provider by which they came, a second factor where there is one, else the password. */
export async function waysToProve(
  { secondFactors, viewers }: Pick<Proving, 'secondFactors' | 'viewers'>,
  viewer: Viewer,
  _none: unknown,
  { session }: { session: Session },
): Promise<ProofWaysAnswer> {
  if ((await viewers.stored(session))?.method === 'oidc') return { ways: ['provider'] }
  const types = new Set((await secondFactors.list(viewer.id)).map(({ type }) => type))
  if (types.size === 0) return { ways: ['password'] }
  return { ways: types.has('passkey') ? ['passkey', 'code'] : ['code'] }
}

/**
 * Shows anew who somebody is, for the next ten minutes of this session. `WrongProofError`, and `TooManyTriesError` after
 * several. A password alone proves nothing of somebody who has a second factor. `ConflictError` in a session that began by
 * the provider: what they may have here besides says nothing of who they are there.
 */
export async function giveProof(
  parts: Proving & Parameters<typeof challengeOf>[0],
  viewer: Viewer,
  given: GivenProof,
  { session, request }: { session: Session; request: Request },
): Promise<void> {
  const stored = await parts.viewers.stored(session)
  if (!stored) throw new UnauthenticatedError()
  if (stored.method === 'oidc') throw new ConflictError('This session is proved at the provider')
  const challenge = challengeOf(parts, 'assertion', request)
  const { password, code, assertion: response } = { password: null, code: undefined, assertion: null, ...given }
  const factor = { code, assertion: response && challenge ? { response, challenge } : null }
  const secret = password === null ? (secretGiven(factor) ?? 'passkey') : 'password'
  const how = await counted(parts, viewer, secret, () => howProved(parts, viewer, factor, password))
  await parts.sessions.proved(session.id)
  await parts.activity.record({ userId: viewer.id, action: 'proof-given', details: { with: how } })
  if (how === 'recovery-code') await parts.activity.record({ userId: viewer.id, action: 'recovery-code-used' })
  await parts.announcer.person(viewer.id)
}

/**
 * Tries a secret of somebody who is signed in: `work` answers null when it was wrong. Of a password it is counted apart from
 * tries to sign in, so that guesses of others at the sign-in page stop nobody who is in.
 */
export async function counted<T>(
  { throttle, activity, now }: Pick<Proving, 'throttle' | 'activity' | 'now'>,
  viewer: Viewer,
  secret: Secret,
  work: () => Promise<T | null>,
): Promise<T> {
  const key = secretKey(viewer.id, secret)
  const locked = await throttle.begin(key)
  if (locked) throw new TooManyTriesError(Math.ceil((locked.lockedUntil - now()) / 1000))
  const done = await work()
  if (done === null) {
    await activity.record({ userId: viewer.id, action: 'proof-failed' })
    throw new WrongProofError()
  }
  await throttle.succeeded(key)
  return done
}

async function howProved(
  { env, users, secondFactors }: Pick<Proving, 'env' | 'users' | 'secondFactors'>,
  viewer: Viewer,
  factor: GivenFactor,
  password: string | null,
): Promise<string | null> {
  const outcome = await secondFactors.check(viewer.id, factor)
  if (outcome === 'totp' || outcome === 'passkey' || outcome === 'recovery-code') return outcome
  if (outcome !== 'none' || password === null) return null
  const user = await users.find(viewer.id)
  if (user === null || !mayUsePassword(env, user)) return null
  return (await matchesPassword(user.passwordHash, password)) ? 'password' : null
}
