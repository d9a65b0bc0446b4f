import 'server-only'
import { decode } from 'next-auth/jwt'
import type { NextRequest } from 'next/server'
import { PROOF_PAGE, PROOF_PROMPT } from '@/lib/contract/headers'
import { SIGN_ON_CAUSES } from '@/lib/contract/feed-status'
import { placeOf } from '@/server/db/sealed-columns'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import { clearsSignedOut, wasSignedOut } from './end-sessions'
import { type ToldByProvider, toldBy } from './oidc-claims'
import { refusalOf, SignOnError, signOnErrorOf } from './oidc-failure'
import { oidcProvider, type ProviderOptions } from './oidc-provider'
import type { ProviderCheck } from './provider-check'
import { type ProviderSignInParts, signInByProvider } from './provider-sign-in'
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

export type SignOnAttempt = {
  provider: ReturnType<typeof oidcProvider>
  isProof: boolean
  course: Course
  /** Next-auth's answer, with the cause in place of its few codes, logged under a code that the person is shown. */
  finish: (answer: Response) => Response
}

type Course = {
  error: SignOnError | null
  isReal: boolean
  idToken: string | null
  /** The session in which the person has proved who they are; null when one begins. */
  proven: Session | null
  told: ToldByProvider
  isIn: boolean
}

/** Next-auth wants an id to go on; the sign-in callback then refuses this one. */
export const UNKNOWN_PERSON = 'unknown-person'

export async function beginSignOn(
  parts: SignOnParts,
  request: NextRequest,
  path: readonly string[],
): Promise<SignOnAttempt | null> {
  const { providerCheck: check, env } = parts
  if (!env.oidc || !check) return null
  const step = stepOf(request, path)
  const course: Course = { error: null, isReal: false, idToken: null, isIn: false, proven: null, told: toldBy({}, 0) }
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
    finish: (answer) =>
      step === null ? answer : finished(parts, answer, { step, course, page: isProof ? PROOF_PAGE : '/signin' }),
  }
}

/** The first failure is the cause; what fails after it is its consequence. */
function note(course: Course, error: unknown, isReal: boolean): null {
  course.error ??= signOnErrorOf(error)
  course.isReal ||= isReal
  return null
}

type Finished = { step: NonNullable<Step>; course: Course; page: string }

function finished(parts: SignOnParts, answer: Response, { step, course, page }: Finished): Response {
  // Before it asks the provider anything, next-auth looks for its three cookies; after its part only ours can fail.
  const otherwise = course.idToken === null ? 'state-lost' : 'intag-unavailable'
  if (step === 'callback' && !course.isIn) note(course, new SignOnError(otherwise), false)
  const { error } = course
  if (error && !course.isIn) {
    const code = parts.providerCheck?.failed(error, course.isReal) ?? ''
    const shown = new URLSearchParams({ error: `SignOn-${SIGN_ON_CAUSES[error.cause]}`, code })
    return redirected(answer, `${parts.env.auth.url}${page}?${shown}`)
  }
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

/** The way back is known by where it ends; changing that in one's own browser makes it an ordinary sign-in. */
function asksProof({ nextUrl, cookies }: NextRequest, env: SignOnParts['env'], step: NonNullable<Step>): boolean {
  if (step === 'signin') return nextUrl.searchParams.get('prompt') === PROOF_PROMPT
  return cookies.get(nextAuthCookie(env, 'callback-url'))?.value === env.auth.url + PROOF_PAGE
}

function nextAuthCookie(env: SignOnParts['env'], name: string): string {
  return `${isSecure(env) ? '__Secure-' : ''}next-auth.${name}`
}

/** After signing out, or once a session was ended, the provider's own session lets nobody in silently. */
async function promptOf(
  parts: SignOnParts,
  request: NextRequest,
  isProof: boolean,
): Promise<ProviderOptions['prompt']> {
  if (isProof) return 'login'
  if (request.nextUrl.searchParams.get('prompt') === 'select_account') return 'select_account'
  if (wasSignedOut(request)) return 'login'
  // The cookie of a session that was ended elsewhere or is too old; all others lose theirs before that.
  const named = await sessionOf(request, parts.env)
  const isEnded = named !== null && (await parts.viewers.find(named).catch(() => null)) === null
  return isEnded ? 'login' : null
}

/** What the provider answered instead of a code, if the answer has the state that this browser was given. */
async function providersRefusal(env: SignOnParts['env'], { nextUrl, cookies }: NextRequest) {
  const error = nextUrl.searchParams.get('error')
  if (error === null) return null
  const name = nextAuthCookie(env, 'state')
  const token = cookies.get(name)?.value ?? ''
  const state = await decode({ token, secret: env.auth.secret, salt: name }).catch(() => null)
  const isReal = state !== null && state.value === nextUrl.searchParams.get('state')
  return isReal ? refusalOf(error, nextUrl.searchParams.get('error_description') ?? '') : new SignOnError('state-lost')
}

/** Our user's id, not the provider's. `proving` is the request of a proof, whose session must hold still. */
function profileOf(parts: SignOnParts, course: Course, proving: NextRequest | null): ProviderOptions['profile'] {
  return async (claims) => {
    try {
      course.told = toldBy(claims.idToken, parts.now())
      if (proving) course.proven = await provenSession(parts, proving, course.told)
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

async function provenSession({ env, viewers, now }: SignOnParts, request: NextRequest, { provedAt }: ToldByProvider) {
  const session = await sessionOf(request, env)
  if (session === null || (await viewers.find(session)) === null) throw new SignOnError('state-lost')
  if (now() - provedAt.getTime() > PROOF_HOLDS_MS) throw new SignOnError('not-fresh')
  return session
}

/** A token with hundreds of groups makes too long an address; without it the provider asks before it signs out. */
const LONGEST_HINT = 4_000

export function sealedIdToken(seal: Pick<Seal, 'close'>, { idToken }: Course, sessionId: string): string | null {
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
