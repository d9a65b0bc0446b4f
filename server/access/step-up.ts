import 'server-only'
import type { Body } from '@/lib/contract/endpoints'
import { ConflictError, ReauthenticationError, UnauthenticatedError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { checkOwnPassword, logWrongProof } from './passwords'
import { checkFactor, listConfirmedFactors } from './second-factors'
import type { Session } from './session-cookie'
import type { Viewer } from './viewer'

export const PROOF_TTL_MS = 10 * 60_000

/** ASVS 5.0, 7.5. Not in the demo, whose passwords are public, nor for providers that cannot prove a fresh sign-in. */
export async function requireRecentProof(services: Services, session: Session): Promise<void> {
  const { env, now, connect, viewers, providerDiscovery: providerCheck } = services
  if (env.mode === 'demo') return
  const stored = await viewers.findStoredSession(session)
  if (!stored) throw new UnauthenticatedError()
  const isByProvider = stored.method === 'oidc'
  if (isByProvider && providerCheck?.sendsAuthTime() !== true) return
  if (now() - stored.provedAt.getTime() <= PROOF_TTL_MS) return
  if (isByProvider) throw new ReauthenticationError('provider')
  const hasFactor = (await listConfirmedFactors(await connect(), stored.userId)).length > 0
  throw new ReauthenticationError(hasFactor ? 'code' : 'password')
}

/** With a second factor a password alone is no proof; neither is a local secret for a provider's session. */
export async function proveIdentity(
  services: Services,
  viewer: Viewer,
  given: Body<'POST /api/account/proof'>,
  call: { session: Session },
) {
  const { viewers, sessions, activity, announcer } = services
  const { session } = call
  const stored = await viewers.findStoredSession(session)
  if (!stored) throw new UnauthenticatedError()
  if (stored.method === 'oidc') throw new ConflictError('This session is proved at the provider')
  const factor = await checkFactor(services, viewer.id, 'code' in given ? given.code : undefined)
  const isPassword = factor === 'none' && 'password' in given
  if (isPassword) await checkOwnPassword(services, viewer, given.password)
  else if (factor !== 'totp' && factor !== 'recovery-code') throw await logWrongProof(services, viewer)
  await sessions.recordProof(session.id)
  const details = { with: isPassword ? 'password' : factor }
  await activity.record({ userId: viewer.id, action: 'proof-given', details })
  if (factor === 'recovery-code') await activity.record({ userId: viewer.id, action: 'recovery-code-used' })
  await announcer.announceUser(viewer.id)
}
