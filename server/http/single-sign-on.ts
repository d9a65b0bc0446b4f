import 'server-only'
import { decode } from 'next-auth/jwt'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { type ProviderClaims, type ProviderProof, proofIn } from '@/server/access/oidc-claims'
import type { ProviderPrompt } from '@/server/access/oidc-provider'
import { type ProviderMetadata, SignOnError } from '@/server/access/provider-check'
import { signInByProvider } from '@/server/access/provider-sign-in'
import { type AuthEnv, nextAuthCookies, type Session, sessionOf } from '@/server/access/session-cookie'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { withinTime } from '@/server/base/deadline'
import { placeOf } from '@/server/base/sealed-columns'
import type { Services } from '@/server/base/services'

/** One of the two requests of a sign-in or proof: to the provider, and back. */
export type SignOn = {
  step: 'signin' | 'callback'
  isProof: boolean
  metadata: ProviderMetadata
  prompt: ProviderPrompt
  /** Set once the provider has said who it is. `proven` is the session that a proof is for. */
  admitted: { userId: string; proof: ProviderProof; proven: Session | null } | null
}

/** Null for other requests, a refusal where it is known before next-auth is asked. */
export async function beginSignOn(
  services: Services,
  request: NextRequest,
  [action, provider]: readonly string[],
): Promise<SignOn | Response | null> {
  const { env, providerCheck } = services
  const step = action === 'signin' && request.method === 'POST' ? action : action === 'callback' ? action : null
  if (!providerCheck || provider !== 'oidc' || step === null) return null
  // A proof is recognised by where it ends. Tampering with that only makes it an ordinary sign-in.
  const isProof =
    step === 'signin'
      ? request.nextUrl.searchParams.get('prompt') === PROOF_PROMPT
      : request.cookies.get(nextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
  try {
    if (step === 'callback') await requireOwnAnswer(env, request)
    const prompt = step === 'signin' ? await promptOf(services, request, isProof) : null
    return { step, isProof, metadata: await providerCheck.metadata(), prompt, admitted: null }
  } catch (error) {
    return refusal(services, { step, isProof }, error)
  }
}

/** The answer, or the provider's refusal, must have the state that this browser was given. */
async function requireOwnAnswer(env: AuthEnv, { nextUrl, cookies }: NextRequest): Promise<void> {
  const { name } = nextAuthCookies(env).state
  const token = cookies.get(name)?.value ?? ''
  const state = await decode({ token, secret: env.auth.secret, salt: name }).catch(() => null)
  if (state === null || state.value !== nextUrl.searchParams.get('state'))
    throw new SignOnError('refused', 'the answer belongs to no sign-in of this browser, or came too late')
  const error = nextUrl.searchParams.get('error')
  if (error !== null)
    throw new SignOnError('refused', `${error} ${nextUrl.searchParams.get('error_description') ?? ''}`)
}

/** After a session that ended elsewhere, the provider's own session must not sign in silently. */
async function promptOf({ env, viewers }: Services, request: NextRequest, isProof: boolean): Promise<ProviderPrompt> {
  if (isProof) return 'proof'
  if (request.nextUrl.searchParams.get('prompt') === 'login') return 'login'
  const session = await sessionOf(request, env)
  const isEnded = session !== null && (await viewers.find(session).catch(() => null)) === null
  return isEnded ? 'login' : null
}

/** next-auth's `signIn` callback: true, or the address of the page that says why not. */
export async function admit(
  services: Services,
  signOn: SignOn,
  request: Request,
  claims: ProviderClaims,
): Promise<true | string> {
  try {
    if (claims.idToken.iss !== signOn.metadata.issuer) throw new SignOnError('setup', 'a token of another issuer')
    const proof = proofIn(claims.idToken, services.now())
    const proven = signOn.isProof ? await provenSession(services, request, proof) : null
    signOn.admitted = { userId: await signInByProvider(services, claims, proven?.userId), proof, proven }
    return true
  } catch (error) {
    return refuse(services, signOn, error)
  }
}

/** A proof is for a session that still holds, by a person whom the provider has asked just now. */
async function provenSession({ env, viewers, now }: Services, request: Request, { provedAt }: ProviderProof) {
  const session = await sessionOf(request, env)
  if (session === null || (await viewers.find(session)) === null)
    throw new SignOnError('refused', 'the session has ended')
  if (now() - provedAt.getTime() > PROOF_TTL_MS)
    throw new SignOnError('setup', 'no fresh auth_time: the provider must obey prompt=login and send that claim')
  return session
}

/** openid-client limits silence only; a provider that drips would be waited for without end. */
const ANSWER_WITHIN_MS = 15_000

/** next-auth's own failures lead to its error page: they lie in the exchange with the provider, or in Intag. */
export async function finishSignOn(services: Services, signOn: SignOn, byNextAuth: Promise<Response>) {
  const { env, counters } = services
  try {
    const answer = await withinTime(byNextAuth, ANSWER_WITHIN_MS)
    const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '/', env.auth.url)
    if (searchParams.get('error') === 'OAuthCallback') throw new SignOnError('setup', 'see the error before')
    if (pathname.startsWith('/api/auth/')) throw new Error('next-auth failed: see the error before')
    if (signOn.admitted !== null) counters.signIn('provider', 'accepted')
    return answer
  } catch (error) {
    return refusal(services, signOn, error)
  }
}

type Course = Pick<SignOn, 'step' | 'isProof'>

function refusal(services: Services, course: Course, error: unknown): Response {
  const url = refuse(services, course, error)
  const headers = { 'cache-control': 'private, no-store' }
  if (course.step === 'signin') return Response.json({ url }, { headers })
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}

/** Logged and counted; answers the address of the page that says so. */
function refuse({ env, logger, counters }: Services, { isProof }: Course, error: unknown): string {
  const cause = error instanceof SignOnError ? error.cause : null
  counters.signIn('provider', cause ?? 'failed')
  if (error instanceof SignOnError)
    logger.warn({ cause, detail: withoutAddresses(error.message) }, 'single sign-on failed')
  else logger.error({ err: error }, 'single sign-on failed')
  return `${env.auth.url}${isProof ? PROOF_PAGE : '/signin'}?error=${cause === null ? 'Unavailable' : `SignOn-${cause}`}`
}

/** Entra ID names the person in its errors. */
export function withoutAddresses(text: string): string {
  return text.replace(/[^\s'"<>]+@[^\s'"<>]+/g, '…')
}

/** A token with hundreds of groups makes the address too long; without it the provider asks before it signs out. */
const MAX_HINT_LENGTH = 4_000

export function sealIdToken({ seal }: Services, idToken: string, sessionId: string): string | null {
  return idToken.length <= MAX_HINT_LENGTH ? seal.encrypt(idToken, placeOf.idToken(sessionId)) : null
}

/** OpenID Connect RP-Initiated Logout 1.0; called before the session ends, which deletes the id token. */
export async function providerSignOutUrl(services: Services, request: Request): Promise<string | null> {
  const { env, providerCheck, seal, sessions } = services
  const named = await sessionOf(request, env)
  const session = named && (await sessions.find(named.id))?.session
  if (!env.oidc || !providerCheck || session?.method !== 'oidc' || session.userId !== named?.userId) return null
  const metadata = await providerCheck.metadata().catch(() => null)
  if (metadata?.end_session_endpoint === undefined) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.decrypt(sealedIdToken, placeOf.idToken(id))
  const url = new URL(metadata.end_session_endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}
