import 'server-only'
import { and, eq } from 'drizzle-orm'
import { decodeJwt, errors, jwtVerify } from 'jose'
import { decode } from 'next-auth/jwt'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { NextRequest } from 'next/server'
import { z } from 'zod'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { type ProviderClaims, type ProviderProof, readProof } from '@/server/access/oidc-claims'
import { type ProviderMetadata, SignOnError } from '@/server/access/provider-discovery'
import { signInWithProvider } from '@/server/access/provider-sign-in'
import { nextAuthCookies, type Session, readSession } from '@/server/access/session-cookie'
import { MAX_FORM_BYTES } from '@/server/access/sign-in'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { withTimeout } from '@/server/base/deadline'
import type { Env } from '@/server/base/env'
import { NotReadyError } from '@/server/base/errors'
import { users } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { createAgent } from '@/server/base/transport'
import { readBodyText } from './input'

/** One of the two requests of a sign-in or proof: to the provider, and back. */
export type SignOnRequest = {
  step: 'signin' | 'callback'
  isProof: boolean
  metadata: ProviderMetadata
  /** `proof`: the provider must ask the person now, and say when it did. */
  prompt: 'login' | 'proof' | null
  /** Set once the provider has said who it is. `proven` is the session that a proof is for. */
  verifiedUser: { userId: string; proof: ProviderProof; provenSession: Session | null } | null
}

/** Null for other requests, a refusal where it is known before next-auth is asked. */
export async function beginSignOn(
  services: Services,
  request: NextRequest,
  [action, provider]: readonly string[],
): Promise<SignOnRequest | Response | null> {
  const { env, providerDiscovery: providerCheck, viewers } = services
  const { cookies } = request
  const { searchParams } = request.nextUrl
  const step = action === 'signin' && request.method === 'POST' ? action : action === 'callback' ? action : null
  if (!providerCheck || provider !== 'oidc' || step === null) return null
  // A proof is recognised by where it ends. Tampering with that only makes it an ordinary sign-in.
  const isProof =
    step === 'signin'
      ? searchParams.get('prompt') === PROOF_PROMPT
      : cookies.get(nextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
  try {
    let prompt: SignOnRequest['prompt'] = null
    if (step === 'callback') {
      // The answer, or the provider's refusal, must have the state that this browser was given.
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
      // After a session that ended elsewhere, the provider's own session must not sign in silently.
      const session = await readSession(request, env)
      const isEnded = session !== null && (await viewers.find(session).catch(() => null)) === null
      prompt = isEnded ? 'login' : null
    }
    return { step, isProof, metadata: await providerCheck.getMetadata(), prompt, verifiedUser: null }
  } catch (error) {
    return toFailureResponse(services, { step, isProof }, error)
  }
}

/**
 * Discovery, PKCE, state, nonce, the exchange and the checks of the id token are next-auth's. Without `signOn` nothing
 * is asked of the provider.
 */
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
        // OpenID Connect Core 1.0, section 5.3.2.
        if (hasUserinfo && userinfo.sub !== idToken.sub) throw new Error('userinfo is about another subject')
        return { idToken, userinfo, sub: String(idToken.sub) }
      },
    },
    profile: ({ idToken }) => ({ id: String(idToken.sub) }),
  }
}

/** next-auth's `signIn` callback: true, or the address of the page that says why not. */
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
      // A proof is for a session that still holds, by a person whom the provider has asked just now.
      provenSession = await readSession(request, env)
      if (provenSession === null || (await viewers.find(provenSession)) === null)
        throw new SignOnError('refused', 'the session has ended')
      if (now() - proof.provedAt.getTime() > PROOF_TTL_MS)
        throw new SignOnError('setup', 'no fresh auth_time: the provider must obey prompt=login and send that claim')
    }
    signOn.verifiedUser = {
      userId: await signInWithProvider(services, claims, provenSession?.userId),
      proof,
      provenSession: provenSession,
    }
    return true
  } catch (error) {
    return logFailure(services, signOn, error)
  }
}

/** next-auth's own failures lead to its error page: they lie in the exchange with the provider, or in Intag. */
export async function finishSignOn(services: Services, signOn: SignOnRequest, nextAuthResponse: Promise<Response>) {
  const { env, counters } = services
  try {
    // openid-client limits silence only; a provider that drips would be waited for without end.
    const answer = await withTimeout(nextAuthResponse, 15_000)
    const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '/', env.auth.url)
    if (searchParams.get('error') === 'OAuthCallback') throw new SignOnError('setup', 'see the error before')
    if (pathname.startsWith('/api/auth/')) throw new Error('next-auth failed: see the error before')
    if (signOn.verifiedUser !== null) counters.countSignIn('provider', 'accepted')
    return answer
  } catch (error) {
    return toFailureResponse(services, signOn, error)
  }
}

/** Our sign-in page asks for the address by a script, and follows it itself. */
function toFailureResponse(
  services: Services,
  signOn: Pick<SignOnRequest, 'step' | 'isProof'>,
  error: unknown,
): Response {
  const url = logFailure(services, signOn, error)
  const headers = { 'cache-control': 'private, no-store' }
  if (signOn.step === 'signin') return Response.json({ url }, { headers })
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}

/** Logged and counted; answers the address of the page that says so. */
function logFailure(
  { env, logger, counters }: Services,
  { isProof }: Pick<SignOnRequest, 'isProof'>,
  error: unknown,
): string {
  const cause = error instanceof SignOnError ? error.cause : null
  counters.countSignIn('provider', cause ?? 'failed')
  if (error instanceof SignOnError) logger.warn({ cause, detail: redactEmails(error.message) }, 'single sign-on failed')
  else logger.error({ err: error }, 'single sign-on failed')
  return `${env.auth.url}${isProof ? PROOF_PAGE : '/signin'}?error=${cause === null ? 'Unavailable' : `SignOn-${cause}`}`
}

/** Entra ID names the person in its errors. */
export function redactEmails(text: string): string {
  return text.replace(/[^\s'"<>]+@[^\s'"<>]+/g, '…')
}

/** OpenID Connect RP-Initiated Logout 1.0; called before the session ends, which deletes the id token. */
export async function findSignOutUrl(services: Services, request: Request): Promise<string | null> {
  const { env, providerDiscovery: providerCheck, seal, sessions } = services
  const named = await readSession(request, env)
  const session = named && (await sessions.find(named.id))?.session
  if (!env.oidc || !providerCheck || session?.method !== 'oidc' || session.userId !== named?.userId) return null
  const metadata = await providerCheck.getMetadata().catch(() => null)
  if (metadata?.end_session_endpoint === undefined) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.decrypt(sealedIdToken, sealContext.idToken(id))
  const url = new URL(metadata.end_session_endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}

/** Below next-auth's own routes. */
export const BACK_CHANNEL_PATH = 'backchannel-logout'
const CLOCK_TOLERANCE_SECONDS = 60

const nonEmptyText = z.string().min(1).optional()
const logoutSchema = z
  .object({ iss: z.string(), iat: z.number(), sub: nonEmptyText, sid: nonEmptyText, nonce: z.never().optional() })
  .extend({ events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }) })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/**
 * OpenID Connect Back-Channel Logout 1.0. No browser and no cookie is involved; the signature is the proof (section 2.6).
 * A token that comes twice ends nothing new. `NotReadyError` while the provider cannot be asked for its keys.
 */
export async function handleBackChannelLogout(services: Services, request: Request): Promise<Response> {
  const { env, providerDiscovery: providerCheck, now, connect, sessions, activity, announcer } = services
  const headers = { 'cache-control': 'no-store' }
  const refused = () => Response.json({ error: 'invalid_request' }, { status: 400, headers })
  const token = new URLSearchParams(await readBodyText(request, MAX_FORM_BYTES)).get('logout_token') ?? ''
  if (!env.oidc || !providerCheck) return refused()
  const { issuer, algorithm, keys } = await providerCheck.getMetadata().catch(() => {
    throw new NotReadyError('The provider’s keys cannot be read', 60)
  })
  const terms = { issuer, audience: env.oidc.clientId, algorithms: [algorithm], currentDate: new Date(now()) }
  const age = { maxTokenAge: 300, clockTolerance: CLOCK_TOLERANCE_SECONDS }
  const verified = await jwtVerify(token, keys, { ...terms, ...age }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return null
    throw error
  })
  const logout = logoutSchema.safeParse(verified?.payload).data
  if (logout === undefined) return refused()
  const { iss, iat, sub, sid = null } = logout
  const before = new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000)
  const db = await connect()
  const ended = await db.transaction(async (tx) => {
    const isSubject = and(eq(users.issuer, iss), eq(users.subject, sub ?? ''))
    const [user] = await tx.select({ id: users.id }).from(users).where(isSubject)
    const owners = await sessions.endProviderSessions(tx, { sid, userId: user?.id ?? null, before })
    for (const owner of new Set(owners)) {
      const count = owners.filter((each) => each === owner).length
      const details = { user: owner, count, with: 'oidc' }
      await activity.recordIn(tx, { userId: owner, action: 'sessions-ended', details })
    }
    return new Set(owners)
  })
  for (const owner of ended) await announcer.announceUser(owner)
  return new Response(null, { headers })
}
