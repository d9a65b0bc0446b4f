import 'server-only'
import { decode } from 'next-auth/jwt'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { SIGN_ON_CAUSES, type SignOnCause } from '@/lib/contract/single-sign-on'
import { placeOf } from '@/server/db/sealed-columns'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import { type ToldByProvider, toldBy } from './oidc-claims'
import { refusalOf, SignOnError, signOnErrorOf } from './oidc-failure'
import { oidcProvider, type ProviderOptions } from './oidc-provider'
import type { ProviderCheck } from './provider-check'
import { isProof, sessionToProve } from './provider-proof'
import { type ProviderSignInParts, signInByProvider } from './provider-sign-in'
import { clearsSignedOut, wasSignedOut } from './provider-sign-out'
import type { Viewers } from './session'
import { isSecure, type Session, sessionOf } from './session-cookie'
import { PROOF_HOLDS_MS } from './step-up'

export type SignOnParts = ProviderSignInParts & {
  env: Pick<Env, 'auth' | 'oidc'>
  providerCheck: Pick<ProviderCheck, 'metadata' | 'limits' | 'known' | 'failed' | 'succeeded'> | null
  viewers: Viewers
  seal: Pick<Seal, 'close' | 'open'>
  logger: Pick<Logger, 'error'>
  now: () => number
}

/** One request of a sign-in by the provider: its beginning, or the way back. */
export type SignOnAttempt = {
  provider: ReturnType<typeof oidcProvider>
  sealIdToken: (sessionId: string) => string | null
  /** The session in which the person has shown anew that it is they; null when one begins. */
  proven: () => Session | null
  /** Whether that is what it began for. */
  isProof: boolean
  told: () => ToldByProvider
  /** Their session has begun. */
  cameIn: () => void
  /** Next-auth's answer, with the cause in place of its few codes, logged under a code that the person is shown. */
  finish: (answer: Response) => Response
}

/** Next-auth wants an id to go on; the sign-in callback then refuses this one. */
export const UNKNOWN_PERSON = 'unknown-person'

/** Null without a provider. `path` is what stands behind `/api/auth/`. */
export async function beginSignOn(
  parts: SignOnParts,
  request: NextRequest,
  path: readonly string[],
): Promise<SignOnAttempt | null> {
  const { oidc } = parts.env
  const { providerCheck: check } = parts
  if (!oidc || !check) return null
  const step = stepOf(request, path)
  const course: Course = { error: null, isReal: false, idToken: null, isIn: false, proven: null, told: toldBy({}, 0) }
  const proves = step !== null && isProof(request, parts.env, step)
  const metadata = step === null ? null : await check.metadata().catch((error: unknown) => note(course, error, false))
  const refusal = step === 'callback' ? await providersRefusal(parts.env, request) : null
  if (refusal) note(course, refusal, refusal.cause !== 'state-lost')
  return {
    provider: oidcProvider({
      oidc,
      metadata,
      limits: check.limits,
      prompt: step === 'signin' ? await promptOf(parts, request, proves) : null,
      isProof: step === 'signin' && proves,
      profile: profileOf(parts, course, proves ? () => sessionToProve(parts, request) : null),
      onIdToken: (token) => void (course.idToken = token),
      onFailure: (error) => note(course, error, error.cause !== 'state-lost'),
    }),
    sealIdToken: (id) => sealedIdToken(parts.seal, id, course.idToken),
    proven: () => course.proven,
    isProof: proves,
    told: () => course.told,
    cameIn: () => void (course.isIn = true),
    finish: (answer) =>
      step === null ? answer : finished(parts, answer, { step, course, page: proves ? PROOF_PAGE : '/signin' }),
  }
}

/** What has happened in the request so far. `isReal`: the answer belongs to a sign-in that began in this browser. */
type Course = {
  error: SignOnError | null
  isReal: boolean
  idToken: string | null
  isIn: boolean
  proven: Session | null
  told: ToldByProvider
}

/** The first failure is the cause; what fails after it is its consequence. */
function note(course: Course, error: unknown, isReal: boolean): null {
  course.error ??= signOnErrorOf(error)
  course.isReal ||= isReal
  return null
}

type Finished = { step: Step; course: Course; page: string }

function finished(parts: SignOnParts, answer: Response, { step, course, page }: Finished): Response {
  // Before it asks the provider anything, next-auth looks for its three cookies; after its part only ours can fail.
  const otherwise = course.idToken === null ? 'state-lost' : 'intag-unavailable'
  if (step === 'callback' && !course.isIn) note(course, new SignOnError(otherwise), false)
  if (course.error && !course.isIn)
    return redirected(answer, parts.env.auth.url + page + failure(parts, course.error, course.isReal))
  if (step !== 'callback') return answer
  parts.providerCheck?.succeeded()
  return clearsSignedOut(answer, parts.env)
}

type Step = 'signin' | 'callback' | null

function stepOf({ method }: NextRequest, [action, provider]: readonly string[]): Step {
  if (provider !== 'oidc') return null
  if (action === 'signin' && method === 'POST') return 'signin'
  return action === 'callback' ? 'callback' : null
}

/** Whoever has signed out, or whose session was ended, is not let in again silently by the provider's own session. */
async function promptOf(parts: SignOnParts, request: NextRequest, proves: boolean): Promise<ProviderOptions['prompt']> {
  if (proves) return 'login'
  if (request.nextUrl.searchParams.get('prompt') === 'select_account') return 'select_account'
  return wasSignedOut(request) || (await bringsEndedSession(parts, request)) ? 'login' : null
}

/**
 * Whether the browser still has a session that holds no longer: one ended everywhere or by an administrator, after twelve hours, or
 * an administrator's after one without use. The cookie of all others is gone before that, and with it the question.
 */
async function bringsEndedSession({ env, viewers }: SignOnParts, request: NextRequest): Promise<boolean> {
  const named = await sessionOf(request, env)
  return named !== null && (await viewers.find(named).catch(() => null)) === null
}

/** What the provider answered instead of a code, if the answer has the state that this browser was given. */
async function providersRefusal({ auth }: Pick<Env, 'auth'>, { nextUrl, cookies }: NextRequest) {
  const error = nextUrl.searchParams.get('error')
  if (error === null) return null
  const name = `${isSecure({ auth }) ? '__Secure-' : ''}next-auth.state`
  const token = cookies.get(name)?.value ?? ''
  const state = await decode({ token, secret: auth.secret, salt: name }).catch(() => null)
  const isReal = state !== null && state.value === nextUrl.searchParams.get('state')
  return isReal ? refusalOf(error, nextUrl.searchParams.get('error_description') ?? '') : new SignOnError('state-lost')
}

/** Our user's id, not the provider's. What fails inside is no cause of the provider's. */
function profileOf(
  parts: SignOnParts,
  course: Course,
  toProve: (() => Promise<Session | null>) | null,
): ProviderOptions['profile'] {
  return async (claims) => {
    try {
      course.told = toldBy(claims.idToken, parts.now())
      course.proven = (await toProve?.()) ?? null
      if (toProve && course.proven === null) throw new SignOnError('state-lost')
      const isFresh = parts.now() - course.told.provedAt.getTime() <= PROOF_HOLDS_MS
      if (course.proven && !isFresh) throw new SignOnError('not-fresh')
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

/** A token with hundreds of groups would make an address that nobody takes; then the provider asks before it signs out. */
const LONGEST_HINT = 4_000

function sealedIdToken(seal: Pick<Seal, 'close'>, sessionId: string, idToken: string | null): string | null {
  const isHint = idToken !== null && idToken.length <= LONGEST_HINT
  return isHint ? seal.close(idToken, placeOf.idToken(sessionId)) : null
}

/** Next-auth answers a browser with a redirect, and a script with JSON. */
function redirected(answer: Response, to: string): Response {
  const headers = new Headers(answer.headers)
  if (!headers.has('location')) return Response.json({ url: to }, { status: answer.status, headers })
  headers.set('location', to)
  return new Response(null, { status: 302, headers })
}

/** The page says what the person can do; the code is what they tell an administrator. */
function failure({ providerCheck }: SignOnParts, error: SignOnError, isReal: boolean): string {
  const code = providerCheck?.failed(error, isReal) ?? ''
  return `?${new URLSearchParams({ error: pageError(error.cause), code })}`
}

function pageError(cause: SignOnCause): string {
  return `SignOn-${SIGN_ON_CAUSES[cause]}`
}
