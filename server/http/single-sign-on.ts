import 'server-only'
import { decode } from 'next-auth/jwt'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { SIGN_ON_CAUSES } from '@/lib/contract/feed-status'
import { placeOf } from '@/server/base/sealed-columns'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import type { Seal } from '@/server/base/seal'
import { type ProviderProof, proofIn } from '@/server/access/oidc-claims'
import { refusalOf, SignOnError, signOnErrorOf } from '@/server/access/oidc-failure'
import { oidcProvider, type ProviderOptions } from '@/server/access/oidc-provider'
import type { ProviderCheck } from '@/server/access/provider-check'
import { type ProviderSignInParts, signInByProvider } from '@/server/access/provider-sign-in'
import type { Viewers } from '@/server/access/session'
import {
  type AuthEnv,
  cookieName,
  nextAuthCookies,
  type Session,
  sessionOf,
  setCookie,
} from '@/server/access/session-cookie'
import type { Sessions } from '@/server/access/sessions'
import { PROOF_TTL_MS } from '@/server/access/step-up'

export type SignOnParts = ProviderSignInParts & {
  env: Pick<Env, 'auth' | 'oidc'>
  providerCheck: Pick<ProviderCheck, 'metadata' | 'limits' | 'known' | 'failed' | 'succeeded'> | null
  viewers: Viewers
  seal: Pick<Seal, 'encrypt' | 'decrypt'>
  logger: Pick<Logger, 'error'>
  now: () => number
}

export type SignOnAttempt = NonNullable<Awaited<ReturnType<typeof beginSignOn>>>

type Course = {
  error: SignOnError | null
  isReal: boolean
  idToken: string | null
  proven: Session | null
  proof: ProviderProof
  isIn: boolean
}

/** next-auth needs an id to go on; the sign-in callback then refuses this one. */
export const UNKNOWN_PERSON = 'unknown-person'

export async function beginSignOn(parts: SignOnParts, request: NextRequest, path: readonly string[]) {
  const { providerCheck: check, env } = parts
  if (!env.oidc || !check) return null
  const step = stepOf(request, path)
  const course: Course = { error: null, isReal: false, idToken: null, isIn: false, proven: null, proof: proofIn({}, 0) }
  const isProof = step !== null && asksProof(request, env, step)
  const metadata = step === null ? null : await check.metadata().catch((error: unknown) => note(course, error, false))
  const refusal = step === 'callback' ? await providersRefusal(env, request) : null
  const onFailure = (error: SignOnError) => note(course, error, error.cause !== 'state-lost')
  if (refusal) onFailure(refusal)
  return {
    provider: oidcProvider({
      oidc: env.oidc,
      metadata,
      limits: check.limits,
      prompt: step === 'signin' ? await promptOf(parts, request, isProof) : null,
      isProof: step === 'signin' && isProof,
      profile: profileOf(parts, course, isProof ? request : null),
      onIdToken: (token) => void (course.idToken = token),
      onFailure,
    }),
    isProof,
    course,
    /** next-auth's answer with our cause instead of its few codes, logged with the code that the user is shown. */
    finish: (answer: Response) =>
      step === null ? answer : finish(parts, answer, { step, course, page: isProof ? PROOF_PAGE : '/signin' }),
  }
}

/** The first failure is the cause, later ones are its consequences. */
function note(course: Course, error: unknown, isReal: boolean): null {
  course.error ??= signOnErrorOf(error)
  course.isReal ||= isReal
  return null
}

type Finished = { step: NonNullable<Step>; course: Course; page: string }

function finish(parts: SignOnParts, answer: Response, { step, course, page }: Finished): Response {
  // Before it calls the provider, next-auth checks its three cookies; after its part only we can fail.
  const otherwise = course.idToken === null ? 'state-lost' : 'intag-unavailable'
  if (step === 'callback' && !course.isIn) note(course, new SignOnError(otherwise), false)
  const { error } = course
  if (error && !course.isIn) {
    const code = parts.providerCheck?.failed(error, course.isReal) ?? ''
    const shown = new URLSearchParams({ error: `SignOn-${SIGN_ON_CAUSES[error.cause]}`, code })
    return redirect(answer, `${parts.env.auth.url}${page}?${shown}`)
  }
  if (step !== 'callback') return answer
  parts.providerCheck?.succeeded()
  return withMark(new Response(answer.body, answer), parts.env, '', 0)
}

type Step = 'signin' | 'callback' | null

function stepOf({ method }: NextRequest, [action, provider]: readonly string[]): Step {
  if (provider !== 'oidc') return null
  if (action === 'signin' && method === 'POST') return 'signin'
  return action === 'callback' ? 'callback' : null
}

/** Recognised by where it ends. Tampering with that only makes it an ordinary sign-in. */
function asksProof({ nextUrl, cookies }: NextRequest, env: SignOnParts['env'], step: NonNullable<Step>): boolean {
  if (step === 'signin') return nextUrl.searchParams.get('prompt') === PROOF_PROMPT
  return cookies.get(nextAuthCookies(env).callbackUrl.name)?.value === env.auth.url + PROOF_PAGE
}

/** After a sign-out or an ended session, the provider's own session must not sign in silently. */
async function promptOf(parts: SignOnParts, request: NextRequest, isProof: boolean) {
  if (isProof) return 'login'
  if (request.nextUrl.searchParams.get('prompt') === 'select_account') return 'select_account'
  if (request.cookies.has(signedOutName(parts.env))) return 'login'
  // A session ended elsewhere or expired; otherwise the cookie would be gone.
  const named = await sessionOf(request, parts.env)
  const isEnded = named !== null && (await parts.viewers.find(named).catch(() => null)) === null
  return isEnded ? 'login' : null
}

/** The provider's error, if the answer has the state that this browser was given. */
async function providersRefusal(env: SignOnParts['env'], { nextUrl, cookies }: NextRequest) {
  const error = nextUrl.searchParams.get('error')
  if (error === null) return null
  const { name } = nextAuthCookies(env).state
  const token = cookies.get(name)?.value ?? ''
  const state = await decode({ token, secret: env.auth.secret, salt: name }).catch(() => null)
  const isReal = state !== null && state.value === nextUrl.searchParams.get('state')
  return isReal ? refusalOf(error, nextUrl.searchParams.get('error_description') ?? '') : new SignOnError('state-lost')
}

/** Our user's id, not the provider's. `proving` is a re-authentication, whose session must still be valid. */
function profileOf(parts: SignOnParts, course: Course, proving: NextRequest | null): ProviderOptions['profile'] {
  return async (claims) => {
    try {
      course.proof = proofIn(claims.idToken, parts.now())
      if (proving) course.proven = await provenSession(parts, proving, course.proof)
      const result = await signInByProvider(parts, claims, course.proven?.userId)
      if (result.ok) return { id: result.userId }
      throw new SignOnError(result.cause)
    } catch (error) {
      const isKnown = error instanceof SignOnError
      if (!isKnown) parts.logger.error({ err: error }, 'sign-in failed')
      note(course, isKnown ? error : new SignOnError('intag-unavailable'), true)
    }
    return { id: UNKNOWN_PERSON }
  }
}

async function provenSession({ env, viewers, now }: SignOnParts, request: NextRequest, { provedAt }: ProviderProof) {
  const session = await sessionOf(request, env)
  if (session === null || (await viewers.find(session)) === null) throw new SignOnError('state-lost')
  if (now() - provedAt.getTime() > PROOF_TTL_MS) throw new SignOnError('not-fresh')
  return session
}

/** A token with hundreds of groups makes the address too long; without it the provider asks before it signs out. */
const MAX_HINT_LENGTH = 4_000

export function sealIdToken(seal: Pick<Seal, 'encrypt'>, { idToken }: Course, sessionId: string): string | null {
  const isHint = idToken !== null && idToken.length <= MAX_HINT_LENGTH
  return isHint ? seal.encrypt(idToken, placeOf.idToken(sessionId)) : null
}

/** next-auth answers browsers with a redirect, scripts with JSON. */
function redirect(answer: Response, to: string): Response {
  const headers = new Headers(answer.headers)
  if (!headers.has('location')) return Response.json({ url: to }, { status: answer.status, headers })
  headers.set('location', to)
  return new Response(null, { status: 302, headers })
}

type SignOutParts = {
  env: SignOnParts['env']
  sessions: Pick<Sessions, 'find'>
  providerCheck: Pick<ProviderCheck, 'known'> | null
  seal: Pick<Seal, 'decrypt'>
}

/** OpenID Connect RP-Initiated Logout 1.0; called before the session ends, which deletes the id token. */
export async function providerSignOutUrl(parts: SignOutParts, request: Request): Promise<string | null> {
  const { env, providerCheck, seal } = parts
  const endpoint = providerCheck?.known()?.end_session_endpoint
  const named = await sessionOf(request, env)
  if (endpoint === undefined || !env.oidc || !named) return null
  const session = (await parts.sessions.find(named.id))?.session
  if (session?.method !== 'oidc' || session.userId !== named.userId) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.decrypt(sealedIdToken, placeOf.idToken(id))
  const url = new URL(endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}

/** Marks the browser, so that the next sign-in there is not silent. */
export async function withSignedOut(answer: Response, env: SignOnParts['env'], providerUrl: string | null) {
  if (!env.oidc) return answer
  const isJson = providerUrl !== null && answer.headers.get('content-type')?.includes('json') === true
  const body = isJson ? JSON.stringify({ ...(await answer.json()), providerUrl }) : answer.body
  return withMark(new Response(body, answer), env, '1', SIGNED_OUT_SECONDS)
}

/** Its path allows no prefix. */
const signedOutName = (env: AuthEnv) => cookieName(env, 'intag-signed-out', '')
const SIGNED_OUT_SECONDS = 12 * 3600

function withMark(answer: Response, env: AuthEnv, value: string, seconds: number): Response {
  answer.headers.append('set-cookie', setCookie(env, signedOutName(env), value, { seconds, path: '/api/auth' }))
  return answer
}
