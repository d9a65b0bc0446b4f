import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { createNextAuthCookies } from '@/server/access/cookies'
import { type ProviderClaims, type ProviderProof, readProof } from '@/server/access/oidc-claims'
import type { ProviderMetadata } from '@/server/access/provider-discovery'
import { signInWithProvider } from '@/server/access/provider-sign-in'
import { readSession, type Session } from '@/server/access/session-cookie'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { withTimeout } from '@/server/base/deadline'
import type { Env } from '@/server/base/env'
import { readTextProperty } from '@/server/base/error-codes'
import { SignOnError } from '@/server/base/errors'
import { redactEmails } from '@/server/base/logger'
import { tryParseJson } from '@/server/base/parse-input'
import type { Services } from '@/server/base/services'

/** A sign-in or proof of identity at the provider, during one of its two requests: to the provider, and back. */
export type SignOn = {
  isReauthentication: boolean
  metadata: ProviderMetadata
  /** The provider must ask for credentials, even if the user is signed in there. */
  mustLogIn: boolean
  /** The user whom the provider has identified, with the session that a proof is for. */
  verifiedUser: { userId: string; proof: ProviderProof; provenSession: Session | null } | null
}

const EXCHANGE_TIMEOUT_MS = 15_000

/** Calls next-auth. A sign-on is checked before and after, and a failed one leads to the page that shows why. */
export async function runSignOn(
  services: Services,
  request: NextRequest,
  [action, provider]: readonly string[],
  callNextAuth: (signOn: SignOn | null) => Promise<Response>,
): Promise<Response> {
  const { env, providerDiscovery, counters } = services
  const isBeginning = action === 'signin' && request.method === 'POST'
  if (!providerDiscovery || provider !== 'oidc' || (!isBeginning && action !== 'callback')) return callNextAuth(null)
  // A sign-on that returns to the proof page is a proof. Tampering with that only makes it an ordinary sign-in.
  const isReauthentication = isBeginning
    ? request.nextUrl.searchParams.get('prompt') === PROOF_PROMPT
    : request.cookies.get(createNextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
  try {
    if (!isBeginning) checkCallback(env, request)
    const mustLogIn = isBeginning && (isReauthentication || (await shouldLogIn(services, request)))
    const metadata = await providerDiscovery.getMetadata()
    const signOn: SignOn = { isReauthentication, mustLogIn, metadata, verifiedUser: null }
    // openid-client limits only silence, and would wait for ever for a provider that sends slowly.
    const response = await withTimeout(callNextAuth(signOn), EXCHANGE_TIMEOUT_MS)
    await checkNextAuthResponse(env, response)
    if (signOn.verifiedUser !== null) counters.countSignIn('provider', 'accepted')
    return response
  } catch (error) {
    const url = reportFailure(services, isReauthentication, error)
    const headers = { 'cache-control': 'private, no-store' }
    // The sign-in page reads the address from JSON, and a callback is redirected.
    if (isBeginning) return Response.json({ url }, { headers })
    return new Response(null, { status: 302, headers: { ...headers, location: url } })
  }
}

/** Throws `SignOnError` if the provider refuses, or if this browser has begun no sign-in within 15 minutes. */
function checkCallback(env: Env, { cookies, nextUrl: { searchParams } }: NextRequest): void {
  if (!cookies.has(createNextAuthCookies(env).state.name))
    throw new SignOnError('refused', 'the answer belongs to no sign-in of this browser, or came too late')
  const error = searchParams.get('error')
  if (error !== null) throw new SignOnError('refused', `${error} ${searchParams.get('error_description') ?? ''}`)
}

/** The provider must not silently sign in a user whose session was ended elsewhere. */
async function shouldLogIn({ env, viewers }: Services, request: NextRequest): Promise<boolean> {
  if (request.nextUrl.searchParams.get('prompt') === 'login') return true
  const session = await readSession(request, env)
  return session !== null && (await viewers.find(session).catch(() => null)) === null
}

/** Throws if the address to which next-auth sends the browser names an error. Its cause is in the log already. */
async function checkNextAuthResponse({ auth }: Env, response: Response): Promise<void> {
  // A form with `json=true` gets the address in the body.
  const urlInBody = readTextProperty(tryParseJson(await response.clone().text()), 'url')
  const { href, searchParams } = new URL(response.headers.get('location') ?? urlInBody, auth.url)
  const error = searchParams.get('error')
  if (error === 'OAuthSignin') throw new SignOnError('unreachable', 'see the error before')
  if (error === 'OAuthCallback') throw new SignOnError('setup', 'see the error before')
  if (error !== null && href.startsWith(`${auth.url}/api/auth/`))
    throw new Error('next-auth failed: see the error before')
}

/** Is next-auth's `signIn` callback: returns true, or the address of the page that shows why the sign-on failed. */
export async function acceptSignOn(services: Services, signOn: SignOn, request: Request, claims: ProviderClaims) {
  const { env, viewers, now } = services
  try {
    const proof = readProof(claims.idToken, now())
    let provenSession: Session | null = null
    if (signOn.isReauthentication) {
      provenSession = await readSession(request, env)
      if (provenSession === null || (await viewers.find(provenSession)) === null)
        throw new SignOnError('refused', 'the session has ended')
      if (now() - proof.provedAt.getTime() > PROOF_TTL_MS)
        throw new SignOnError('setup', 'no fresh auth_time: the provider must obey prompt=login and send that claim')
    }
    const userId = await signInWithProvider(services, claims, provenSession?.userId)
    signOn.verifiedUser = { userId, proof, provenSession }
    return true
  } catch (error) {
    return reportFailure(services, signOn.isReauthentication, error)
  }
}

/** Logs and counts the failure, and returns the address of the page that shows it. */
function reportFailure({ env, logger, counters }: Services, isReauthentication: boolean, error: unknown): string {
  const page = env.auth.url + (isReauthentication ? PROOF_PAGE : '/signin')
  if (error instanceof SignOnError) {
    const { signOnCause: cause, message } = error
    counters.countSignIn('provider', cause)
    logger.warn({ cause, detail: redactEmails(message) }, 'single sign-on failed')
    return `${page}?error=SignOn-${cause}`
  }
  counters.countSignIn('provider', 'failed')
  logger.error({ err: error }, 'single sign-on failed')
  return `${page}?error=Unavailable`
}
