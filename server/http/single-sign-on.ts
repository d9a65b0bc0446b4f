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
import type { Services } from '@/server/base/services'
import { createAgent } from '@/server/base/transport'

/** One of the two requests of a sign-in or proof of identity: to the provider, and back. */
export type SignOnRequest = {
  step: 'signin' | 'callback'
  isProof: boolean
  metadata: ProviderMetadata
  /** `login` makes the provider ask for credentials, and `proof` also requires `auth_time`. */
  prompt: 'login' | 'proof' | null
  /** The user whom the provider has identified, with the session that a proof is for. */
  verifiedUser: { userId: string; proof: ProviderProof; provenSession: Session | null } | null
}

/** Returns null for other requests, and a response if the step fails before next-auth is involved. */
export async function beginSignOn(
  services: Services,
  request: NextRequest,
  [step, provider]: readonly string[],
): Promise<SignOnRequest | Response | null> {
  const { env, providerDiscovery, viewers } = services
  const { cookies } = request
  const { searchParams } = request.nextUrl
  const isSignOn = (step === 'signin' && request.method === 'POST') || step === 'callback'
  if (!providerDiscovery || provider !== 'oidc' || !isSignOn) return null
  // A sign-on that returns to the proof page is a proof. Tampering with that only makes it an ordinary sign-in.
  const isProof =
    step === 'signin'
      ? searchParams.get('prompt') === PROOF_PROMPT
      : cookies.get(nextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
  try {
    let prompt: SignOnRequest['prompt'] = null
    if (step === 'callback') {
      // The provider's answer or refusal must carry the state that this browser was given.
      const { name } = nextAuthCookies(env).state
      const token = cookies.get(name)?.value ?? ''
      const state = await decode({ token, secret: env.auth.secret, salt: name }).catch(() => null)
      if (state === null || state.value !== searchParams.get('state'))
        throw new SignOnError('refused', 'the answer belongs to no sign-in of this browser, or came too late')
      const error = searchParams.get('error')
      if (error !== null) throw new SignOnError('refused', `${error} ${searchParams.get('error_description') ?? ''}`)
    } else if (isProof) prompt = 'proof'
    else if (searchParams.get('prompt') === 'login') prompt = 'login'
    else {
      // The provider must not silently sign in a user whose session was ended elsewhere.
      const session = await readSession(request, env)
      const isEnded = session !== null && (await viewers.find(session).catch(() => null)) === null
      prompt = isEnded ? 'login' : null
    }
    return { step, isProof, metadata: await providerDiscovery.getMetadata(), prompt, verifiedUser: null }
  } catch (error) {
    return toFailureResponse(services, { step, isProof }, error)
  }
}

/** next-auth does discovery, PKCE, state, nonce, the exchange and the checks of the id token. Actions without `signOn` do not contact the provider. */
export function createOidcProvider(
  oidc: NonNullable<Env['oidc']>,
  signOn: SignOnRequest | null,
): OAuthConfig<ProviderClaims> {
  const { metadata, prompt } = signOn ?? {}
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
    httpOptions: { timeout: 10_000, agent: createAgent(new URL(oidc.issuer).protocol) },
    authorization: {
      params: {
        scope: `openid email profile${isAdfs ? ' allatclaims' : ''}`,
        ...(prompt && { prompt: 'login' }),
        ...(prompt === 'proof' && { max_age: 0 }),
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
    return logFailure(services, signOn.isProof, error)
  }
}

/** What next-auth sends to its error page has failed in the exchange or in Intag. */
export async function finishSignOn(services: Services, signOn: SignOnRequest, nextAuthResponse: Promise<Response>) {
  const { env, counters } = services
  try {
    // openid-client limits only silence, and would wait for ever for a provider that sends slowly.
    const response = await withTimeout(nextAuthResponse, 15_000)
    const { pathname, searchParams } = new URL(response.headers.get('location') ?? '/', env.auth.url)
    if (searchParams.get('error') === 'OAuthCallback') throw new SignOnError('setup', 'see the error before')
    if (pathname.startsWith('/api/auth/')) throw new Error('next-auth failed: see the error before')
    if (signOn.verifiedUser !== null) counters.countSignIn('provider', 'accepted')
    return response
  } catch (error) {
    return toFailureResponse(services, signOn, error)
  }
}

/** The sign-in page reads the address from JSON, and a callback is redirected. */
function toFailureResponse(services: Services, signOn: Pick<SignOnRequest, 'step' | 'isProof'>, error: unknown) {
  const url = logFailure(services, signOn.isProof, error)
  const headers = { 'cache-control': 'private, no-store' }
  if (signOn.step === 'signin') return Response.json({ url }, { headers })
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}

/** Also counts the failure, and returns the address of the page that shows it. */
function logFailure({ env, logger, counters }: Services, isProof: boolean, error: unknown): string {
  const cause = error instanceof SignOnError ? error.signOnCause : null
  counters.countSignIn('provider', cause ?? 'failed')
  if (error instanceof SignOnError) logger.warn({ cause, detail: redactEmails(error.message) }, 'single sign-on failed')
  else logger.error({ err: error }, 'single sign-on failed')
  return `${env.auth.url}${isProof ? PROOF_PAGE : '/signin'}?error=${cause === null ? 'Unavailable' : `SignOn-${cause}`}`
}

/** Removes e-mail addresses, because the errors of Entra ID contain them. */
export function redactEmails(text: string): string {
  return text.replace(/[^\s'"<>]+@[^\s'"<>]+/g, '…')
}
