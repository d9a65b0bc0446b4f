import type { Body } from '@/lib/contract/endpoints'
import { MINUTE_MS } from '@/lib/time/durations'
import { ConflictError, ReauthenticationError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { checkOwnPassword, refuseProof } from './own-password'
import { checkFactor, listConfirmedFactors } from './second-factors'
import type { Session } from './session-cookie'
import type { Viewer } from './viewer'

export const PROOF_TTL_MS = 10 * MINUTE_MS

/** Requires a proof within ten minutes (ASVS 5.0, 7.5), except in the demo and of providers without `auth_time`. */
export async function requireRecentProof(services: Services, session: Session) {
  const { env, now, connect, viewers, providerDiscovery } = services
  if (env.mode === 'demo') return
  const storedSession = await viewers.requireStoredSession(session)
  const isByProvider = storedSession.method === 'oidc'
  if (isByProvider && !providerDiscovery?.sendsAuthTime()) return
  if (now() - storedSession.provedAt.getTime() <= PROOF_TTL_MS) return
  if (isByProvider) throw new ReauthenticationError('provider')
  const hasFactor = (await listConfirmedFactors(await connect(), storedSession.userId)).length > 0
  throw new ReauthenticationError(hasFactor ? 'code' : 'password')
}

export async function proveIdentity(
  services: Services,
  viewer: Viewer,
  body: Body<'POST /api/account/proof'>,
  { session }: { session: Session },
) {
  const { viewers, sessions, activity, announcer } = services
  const { id: userId } = viewer
  const storedSession = await viewers.requireStoredSession(session)
  if (storedSession.method === 'oidc') throw new ConflictError('This session is proved at the provider')
  const factor = await checkFactor(services, userId, 'code' in body ? body.code : undefined)
  const isByPassword = factor === 'none' && 'password' in body
  if (isByPassword) await checkOwnPassword(services, viewer, body.password)
  else if (factor !== 'totp' && factor !== 'recovery-code') return refuseProof(services, viewer)
  await sessions.recordProof(session.id)
  await activity.record({ userId, action: 'proof-given', details: { with: isByPassword ? 'password' : factor } })
  if (factor === 'recovery-code') await activity.record({ userId, action: 'recovery-code-used' })
  await announcer.announceUser(userId)
}
