import 'server-only'
import NextAuth, { type AuthOptions, type LoggerInstance } from 'next-auth'
import { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { askedFrom } from '@/server/activity/asked-from'
import type { Env } from '@/server/env'
import { addressOf } from '@/server/http/front-door'
import { parsedJson, readText } from '@/server/http/input'
import { refuseForeignOrigin } from '@/server/http/origin'
import type { OtherAddress } from '@/server/http/other-address'
import { errorResponse, HttpError, jsonResponse, OtherAddressError } from '@/server/http/responses'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import { insteadOfNextAuth } from './auth-actions'
import { BACK_CHANNEL, type BackChannelParts, backChannelLogout } from './back-channel-logout'
import { callbackPath } from './callback-path'
import { type EndingParts, signOut } from './end-sessions'
import type { KnownDevices } from './known-devices'
import type { Viewers } from './session'
import { COOKIE_SECONDS, isSecure, sessionCookieName, sessionOf } from './session-cookie'
import { providerSignOutUrl, withSignedOut } from './provider-sign-out'
import { type Caller, LIMIT_BYTES, passkeyProvider, passwordProvider } from './secret-providers'
import { deviceOf, type NewSession, type Sessions } from './sessions'
import type { SignIn } from './sign-in'
import { beginSignOn, type SignOnAttempt, type SignOnParts, UNKNOWN_PERSON } from './single-sign-on'

type Parts = {
  env: Pick<Env, 'auth' | 'oidc'>
  signIn: SignIn
  sessions: Pick<Sessions, 'begin' | 'proved' | 'end' | 'endAll' | 'find'>
  viewers: Viewers
  logger: Logger
  seal: Seal
  now: () => number
} & EndingParts &
  SignOnParts
export type AuthContext = { params: Promise<{ nextauth: string[] }> }
/** One request: who asks, and what came of it that next-auth has no words for. */
export type Visit = Caller & {
  /** At the provider of single sign-on. */
  attempt: SignOnAttempt | null
  signedIn: string | null
}

/** Everything below `/api/auth`, as next-auth answers it. */
export async function answerAuth(
  parts: Parts &
    BackChannelParts & { env: Pick<Env, 'mode'>; devices: KnownDevices; otherAddress: Pick<OtherAddress, 'hear'> },
  request: NextRequest,
  context: AuthContext,
): Promise<Response> {
  try {
    // Beside next-auth's own token of the form: whoever can plant a cookie here could send that as well.
    refuseForeignOrigin(request, parts.env)
    const { nextauth: path } = await context.params
    if (request.method === 'POST' && path.join('/') === BACK_CHANNEL) return await backChannelLogout(parts, request)
    const instead = insteadOfNextAuth(request, path)
    if (instead !== null) return instead
    const limited = request.method === 'POST' ? await withLimitedBody(request) : request
    const device = parts.devices.read(request)
    const attempt = await beginSignOn(parts, request, path)
    const visit: Visit = {
      request: limited,
      address: addressOf(request),
      device,
      attempt,
      signedIn: null,
      failure: null,
    }
    const providerUrl = await wantedSignOutUrl(parts, limited, path)
    const answer = await askedFrom(visit.address, () => NextAuth(limited, context, authOptions(parts, visit)))
    if (visit.failure !== null) throw visit.failure
    const isSignOut = request.method === 'POST' && path[0] === 'signout'
    if (isSignOut) return await withSignedOut(answer, parts.env, providerUrl)
    const finished = withJsonError(attempt?.finish(answer) ?? answer)
    if (path[0] === 'session') await withoutEndedSession(parts, request, finished)
    if (visit.signedIn !== null) {
      finished.headers.append('set-cookie', await parts.devices.remember(visit.device, visit.signedIn))
    }
    return finished
  } catch (error) {
    if (error instanceof OtherAddressError) parts.otherAddress.hear(error.openedAt)
    return errorResponse(error)
  }
}

/** Our own page asks for the provider's address, too; scripts are answered as next-auth has it. */
async function wantedSignOutUrl(parts: Parts, request: NextRequest, [action]: string[]): Promise<string | null> {
  if (request.method !== 'POST' || action !== 'signout') return null
  const fields = new URLSearchParams(await request.clone().text())
  return fields.get('provider') === 'true' ? providerSignOutUrl(parts, request) : null
}

/** A session that ended while next-auth wrote its cookie anew: what signing out did to the browser stays. */
export async function withoutEndedSession(
  { env, viewers }: { env: Pick<Env, 'auth'>; viewers: Viewers },
  request: Request,
  answer: Response,
): Promise<void> {
  const name = sessionCookieName(env)
  const isSet = (cookie: string) => cookie.startsWith(name) && !cookie.startsWith(`${name}=;`)
  const cookies = answer.headers.getSetCookie()
  if (!cookies.some(isSet)) return
  const session = await sessionOf(request, env)
  if (session !== null && (await viewers.find(session).catch(() => null)) !== null) return
  const others = cookies.filter((cookie) => !isSet(cookie))
  answer.headers.delete('set-cookie')
  for (const cookie of others) answer.headers.append('set-cookie', cookie)
}

/** next-auth answers unknown requests in plain text; every error of ours is JSON. */
function withJsonError(response: Response): Response {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return response.status < 400 || isJson ? response : jsonResponse({ error: 'Bad Request' }, response.status)
}

async function withLimitedBody(request: NextRequest): Promise<NextRequest> {
  const body = await readText(request, LIMIT_BYTES)
  // next-auth would take what is none for an error of its own.
  const isJson = request.headers.get('content-type')?.includes('application/json') === true
  if (isJson && parsedJson(body) === null) throw new HttpError(400, 'Bad Request')
  const url = new URL(request.url)
  // next-auth would hand whatever stands there on to the provider.
  if (url.pathname.endsWith('/signin/oidc')) url.search = ''
  return new NextRequest(url, { method: request.method, headers: request.headers, body })
}

/**
 * next-auth's configuration for one request. The cookie names the session and whose it is, and nothing else: whether it
 * holds, who that is and what they may do is never in it, so that all of it can be taken away at once. What fails where next-auth
 * goes on as if nothing had happened stands in `visit` afterwards.
 */
export function authOptions(parts: Parts, visit: Visit): AuthOptions {
  const { env, viewers, logger } = parts
  return {
    secret: env.auth.secret,
    useSecureCookies: isSecure(env),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    // Else the token in the cookie would hold for thirty days, whatever the cookie says.
    jwt: { maxAge: COOKIE_SECONDS },
    cookies: { sessionToken: { name: sessionCookieName(env), options: cookieOptions(env) } },
    pages: { signIn: '/signin', error: '/signin' },
    providers: [
      passwordProvider(parts, visit),
      passkeyProvider(parts, visit),
      ...(visit.attempt ? [visit.attempt.provider] : []),
    ],
    callbacks: {
      signIn: ({ user }) => user.id !== UNKNOWN_PERSON,
      redirect: ({ url, baseUrl }) => {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
        return baseUrl + (visit.attempt?.isProof && path === PROOF_PAGE ? PROOF_PAGE : callbackPath(path))
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') return begun(parts, visit, user.id, account?.provider)
        const session = { id: String(token.sid), userId: token.sub ?? '', issuedAtMs: 0 }
        // next-auth then takes the cookie back and answers as to nobody.
        if ((await viewers.find(session)) === null) throw new SessionEndedError()
        return { sub: session.userId, sid: session.id }
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async () => {
        try {
          const session = await sessionOf(visit.request, env)
          const viewer = session && (await viewers.find(session))
          if (viewer) await signOut(parts, viewer, session)
        } catch (error) {
          visit.failure = error
        }
      },
    },
    logger: quietLogger(logger),
  }
}

/** What the cookie says of a session that begins, or goes on after a proof. */
async function begun({ sessions, announcer }: Parts, visit: Visit, userId: string, provider: string | undefined) {
  const { address, request, attempt } = visit
  visit.signedIn = userId
  const method = methodOf(provider)
  const byProvider = method === 'oidc' && attempt ? { sealIdToken: attempt.sealIdToken, ...attempt.told() } : {}
  const proven = method === 'oidc' ? attempt?.proven() : null
  if (attempt && proven) {
    await sessions.proved(proven.id, attempt.told())
    await announcer.person(userId)
  }
  const device = deviceOf(request.headers)
  const sid = proven?.id ?? (await sessions.begin({ userId, method, device, address, ...byProvider }))
  attempt?.cameIn()
  return { sub: userId, sid }
}

export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError'
}

function cookieOptions(env: Pick<Env, 'auth'>) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(env) } as const
}

/** By the provider's id, which are ours. */
function methodOf(provider: string | undefined): NewSession['method'] {
  return provider === 'oidc' || provider === 'passkey' ? provider : 'password'
}

/** What next-auth would print beside the code can hold profiles and tokens. */
function quietLogger(logger: Logger): LoggerInstance {
  return {
    error: (code) => logger.error({ code }, 'next-auth error'),
    warn: (code) => logger.debug({ code }, 'next-auth warning'),
    debug: () => {},
  }
}
