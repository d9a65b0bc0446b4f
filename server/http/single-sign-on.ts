import { decodeJwt } from 'jose'
import { decode } from 'next-auth/jwt'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { type ProviderClaims, type ProviderProof, readProof } from '@/server/access/oidc-claims'
import { type ProviderMetadata, SignOnError } from '@/server/access/provider-discovery'
import { signInWithProvider } from '@/server/access/provider-sign-in'
import { nextAuthCookies, readSession, type Session } from '@/server/access/session-cookie'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { withTimeout } from '@/server/base/deadline'
import type { Env } from '@/server/base/env'
import { readTextProperty } from '@/server/base/error-codes'
import { redactEmails } from '@/server/base/logger'
import { tryParseJson } from '@/server/base/parse-input'
import type { Services } from '@/server/base/services'
import { createAgent } from '@/server/base/transport'

/** One of the two requests of a sign-in or proof of identity: to the provider, and back. */
export type SignOnRequest = {
  step: 'signin' | 'callback'
  isProof: boolean
  metadata: ProviderMetadata
  /** The provider must ask for credentials, even if the user is signed in there. */
  mustLogIn: boolean
  /** The user whom the provider has identified, with the session that a proof is for. */
  verifiedUser: { userId: string; proof: ProviderProof; provenSession: Session | null } | null
}

const PROVIDER_SILENCE_MS = 10_000
const EXCHANGE_TIMEOUT_MS = 15_000

/** Returns null for requests that are no step of a sign-on, and a response if the step fails before next-auth. */
export async function beginSignOn(
  services: Services,
  request: NextRequest,
  [step, provider]: readonly string[],
): Promise<SignOnRequest | Response | null> {
  const { env, providerDiscovery } = services
  const isSignOn = (step === 'signin' && request.method === 'POST') || step === 'callback'
  if (!providerDiscovery || provider !== 'oidc' || !isSignOn) return null
  // A sign-on that returns to the proof page is a proof. Tampering with that only makes it an ordinary sign-in.
  const isProof =
    step === 'signin'
      ? request.nextUrl.searchParams.get('prompt') === PROOF_PROMPT
      : request.cookies.get(nextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
  try {
    if (step === 'callback') await checkCallback(env, request)
    const mustLogIn = step === 'signin' && (isProof || (await shouldLogIn(services, request)))
    return { step, isProof, mustLogIn, metadata: await providerDiscovery.getMetadata(), verifiedUser: null }
  } catch (error) {
    return toFailureResponse(services, { step, isProof }, error)
  }
}

/** Throws `SignOnError` for a refusal, and without the state that this browser was given. */
async function checkCallback(env: Env, { cookies, nextUrl: { searchParams } }: NextRequest): Promise<void> {
  const { name } = nextAuthCookies(env).state
  const token = cookies.get(name)?.value ?? ''
  const state = await decode({ token, secret: env.auth.secret, salt: name }).catch(() => null)
  if (state === null || state.value !== searchParams.get('state'))
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

/** next-auth does discovery, PKCE, state, nonce, the exchange and the checks of the id token. */
export function createOidcProvider(
  oidc: NonNullable<Env['oidc']>,
  signOn: SignOnRequest | null,
): OAuthConfig<ProviderClaims> {
  const { metadata, mustLogIn, isProof } = signOn ?? {}
  // AD FS puts groups into the id token only where its own scope asks for all claims.
  const isAdfs = metadata?.scopes_supported.includes('allatclaims') === true
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    client: metadata ? { id_token_signed_response_alg: metadata.algorithm } : {},
    checks: ['pkce', 'state', 'nonce'],
    idToken: true,
    httpOptions: { timeout: PROVIDER_SILENCE_MS, agent: createAgent(new URL(oidc.issuer).protocol) },
    authorization: {
      params: {
        scope: `openid email profile${isAdfs ? ' allatclaims' : ''}`,
        ...(mustLogIn && { prompt: 'login' }),
        // `max_age` obliges the provider to send `auth_time` (OpenID Connect Core 1.0, 3.1.2.1).
        ...(isProof && { max_age: 0 }),
      },
    },
    userinfo: {
      request: async ({ client, tokens: { access_token = '', id_token = '' } }) => {
        const idToken = decodeJwt(id_token)
        const hasUserinfo = metadata?.userinfo_endpoint !== undefined
        const userinfo: ProviderClaims['userinfo'] = hasUserinfo ? await client.userinfo(access_token) : {}
        // OpenID Connect Core 1.0, section 5.3.2, forbids a response about another subject.
        if (hasUserinfo && userinfo.sub !== idToken.sub) throw new Error('userinfo is about another subject')
        return { idToken, userinfo, sub: String(idToken.sub) }
      },
    },
    profile: ({ idToken }) => ({ id: String(idToken.sub) }),
  }
}

/** The `signIn` callback of next-auth, which returns true or the address of a page that shows the error. */
export async function acceptSignOn(
  services: Services,
  signOn: SignOnRequest,
  request: Request,
  claims: ProviderClaims,
): Promise<true | string> {
  const { env, viewers, now } = services
  try {
    const { iss, sub } = claims.idToken
    if (iss !== signOn.metadata.issuer || !sub)
      throw new SignOnError('setup', 'a token of another issuer, or without a subject')
    const proof = readProof(claims.idToken, now())
    let provenSession: Session | null = null
    if (signOn.isProof) {
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
    return reportFailure(services, signOn.isProof, error)
  }
}

/** What next-auth sends to its error page has failed in the exchange or in Intag. */
export async function finishSignOn(
  services: Services,
  signOn: SignOnRequest,
  nextAuthResponse: Promise<Response>,
): Promise<Response> {
  const { env, counters } = services
  try {
    // openid-client limits only silence, and would wait for ever for a provider that sends slowly.
    const response = await withTimeout(nextAuthResponse, EXCHANGE_TIMEOUT_MS)
    // A form with `json=true` gets the address in the body.
    const urlInBody = readTextProperty(tryParseJson(await response.clone().text()), 'url')
    const { href, searchParams } = new URL(response.headers.get('location') ?? urlInBody, env.auth.url)
    const error = searchParams.get('error')
    if (error === 'OAuthSignin') throw new SignOnError('unreachable', 'see the error before')
    if (error === 'OAuthCallback') throw new SignOnError('setup', 'see the error before')
    if (error !== null && href.startsWith(`${env.auth.url}/api/auth/`))
      throw new Error('next-auth failed: see the error before')
    if (signOn.verifiedUser !== null) counters.countSignIn('provider', 'accepted')
    return response
  } catch (error) {
    return toFailureResponse(services, signOn, error)
  }
}

/** The sign-in page reads the address from JSON, and a callback is redirected. */
function toFailureResponse(services: Services, signOn: Pick<SignOnRequest, 'step' | 'isProof'>, error: unknown) {
  const url = reportFailure(services, signOn.isProof, error)
  const headers = { 'cache-control': 'private, no-store' }
  if (signOn.step === 'signin') return Response.json({ url }, { headers })
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}

/** Logs and counts the failure, and returns the address of the page that shows it. */
function reportFailure({ env, logger, counters }: Services, isProof: boolean, error: unknown): string {
  const cause = error instanceof SignOnError ? error.signOnCause : null
  counters.countSignIn('provider', cause ?? 'failed')
  if (error instanceof SignOnError) logger.warn({ cause, detail: redactEmails(error.message) }, 'single sign-on failed')
  else logger.error({ err: error }, 'single sign-on failed')
  return `${env.auth.url}${isProof ? PROOF_PAGE : '/signin'}?error=${cause === null ? 'Unavailable' : `SignOn-${cause}`}`
}
