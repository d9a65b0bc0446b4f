import { readSession } from '@/server/access/session-cookie'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'

/** Finds where to sign out at the provider (OpenID Connect RP-Initiated Logout 1.0), if our page's form asks for it. */
export async function findSignOutUrl(services: Services, request: Request): Promise<string | null> {
  const { env, providerDiscovery, seal, sessions } = services
  // Without `json` next-auth redirects, and there is no body to which the address could be added.
  const form = new URLSearchParams(await request.clone().text())
  if (form.get('provider') !== 'true' || form.get('json') !== 'true') return null
  const cookieSession = await readSession(request, env)
  const session = cookieSession && (await sessions.find(cookieSession.id))?.session
  if (session?.method !== 'oidc' || session.userId !== cookieSession?.userId) return null
  if (!env.oidc || !providerDiscovery) return null
  const metadata = await providerDiscovery.getMetadata().catch(() => null)
  if (metadata?.end_session_endpoint === undefined) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.decrypt(sealedIdToken, sealContext.idToken(id))
  const url = new URL(metadata.end_session_endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}
