import 'server-only'
import NextAuth, { type AuthOptions } from 'next-auth'
import { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { withCallerAddress } from '@/server/base/request-context'
import type { Env } from '@/server/base/env'
import { addressOf } from './front-door'
import { readText } from './input'
import { parsedJson } from '@/server/base/parsed-json'
import { requireSameOrigin, warnOfOtherAddress } from './origin'
import { errorResponse, HttpError, jsonResponse } from './responses'
import type { Logger } from '@/server/base/logger'
import type { Seal } from '@/server/base/seal'
import { callbackPath, responseInsteadOfNextAuth } from './auth-actions'
import { BACK_CHANNEL, type BackChannelParts, backChannelLogout } from './back-channel-logout'
import { deviceOf, type EndingParts, type NewSession, type Sessions, signOut } from '@/server/access/sessions'
import type { KnownDevices } from '@/server/access/known-devices'
import type { Viewers } from '@/server/access/session'
import {
  COOKIE_SECONDS,
  isSecure,
  nextAuthCookies,
  sessionCookieName,
  sessionOf,
  type AuthEnv,
} from '@/server/access/session-cookie'
import { type Caller, MAX_FORM_BYTES, passwordProvider, type SignIn } from '@/server/access/sign-in'
import {
  beginSignOn,
  providerSignOutUrl,
  sealIdToken,
  type SignOnAttempt,
  type SignOnParts,
  UNKNOWN_PERSON,
  withSignedOut,
} from './single-sign-on'

type Parts = SignOnParts &
  EndingParts & {
    signIn: SignIn
    sessions: Pick<Sessions, 'begin' | 'recordProof' | 'end' | 'endAll' | 'find'>
    logger: Logger
    seal: Seal
  }
export type AuthContext = { params: Promise<{ nextauth: string[] }> }
export type Visit = Caller & { attempt: SignOnAttempt | null; signedIn: string | null }

export async function answerAuth(
  parts: Parts & BackChannelParts & { env: Pick<Env, 'mode'>; devices: KnownDevices },
  request: NextRequest,
  context: AuthContext,
): Promise<Response> {
  try {
    // next-auth's own form token is not enough: anyone who can plant a cookie here could send it, too.
    requireSameOrigin(request, parts.env, { isOptional: true })
    const { nextauth: path } = await context.params
    const isPost = request.method === 'POST'
    if (isPost && path.join('/') === BACK_CHANNEL) return await backChannelLogout(parts, request)
    const instead = responseInsteadOfNextAuth(request, path)
    if (instead !== null) return instead
    const limited = isPost ? await withLimitedBody(request) : request
    const device = parts.devices.read(request)
    const attempt = await beginSignOn(parts, request, path)
    const address = addressOf(request)
    const visit: Visit = { request: limited, address, device, attempt, signedIn: null, failure: null }
    const isSignOut = isPost && path[0] === 'signout'
    const providerUrl = isSignOut ? await wantedSignOutUrl(parts, limited) : null
    const answer = await withCallerAddress(address, () => NextAuth(limited, context, authOptions(parts, visit)))
    if (visit.failure !== null) throw visit.failure
    if (isSignOut) return await withSignedOut(answer, parts.env, providerUrl)
    const finished = withJsonError(attempt?.finish(answer) ?? answer)
    if (path[0] === 'session') await withoutEndedSession(parts, request, finished)
    if (visit.signedIn !== null)
      finished.headers.append('set-cookie', await parts.devices.remember(device, visit.signedIn))
    return finished
  } catch (error) {
    warnOfOtherAddress(parts, error)
    return errorResponse(error)
  }
}

/** Only our own page asks for the provider's address; scripts get next-auth's plain answer. */
async function wantedSignOutUrl(parts: Parts, request: NextRequest): Promise<string | null> {
  const fields = new URLSearchParams(await request.clone().text())
  return fields.get('provider') === 'true' ? providerSignOutUrl(parts, request) : null
}

/** If the session ended while next-auth renewed its cookie, the cookie must stay deleted. */
export async function withoutEndedSession(
  { env, viewers }: { env: AuthEnv; viewers: Viewers },
  request: Request,
  answer: Response,
): Promise<void> {
  const name = sessionCookieName(env)
  const isSet = (cookie: string) => cookie.startsWith(name) && !cookie.startsWith(`${name}=;`)
  const cookies = answer.headers.getSetCookie()
  if (!cookies.some(isSet)) return
  const session = await sessionOf(request, env)
  if (session !== null && (await viewers.find(session).catch(() => null)) !== null) return
  answer.headers.delete('set-cookie')
  for (const cookie of cookies) if (!isSet(cookie)) answer.headers.append('set-cookie', cookie)
}

function withJsonError(response: Response): Response {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return response.status < 400 || isJson ? response : jsonResponse({ error: 'Bad Request' }, response.status)
}

async function withLimitedBody(request: NextRequest): Promise<NextRequest> {
  const body = await readText(request, MAX_FORM_BYTES)
  const isJson = request.headers.get('content-type')?.includes('application/json') === true
  if (isJson && parsedJson(body) === null) throw new HttpError(400, 'Bad Request')
  const url = new URL(request.url)
  if (url.pathname.endsWith('/signin/oidc')) url.search = ''
  return new NextRequest(url, { method: request.method, headers: request.headers, body })
}

/** The cookie names only session and user, so that permissions can be revoked at once. */
export function authOptions(parts: Parts, visit: Visit): AuthOptions {
  const { env, viewers, logger } = parts
  return {
    secret: env.auth.secret,
    useSecureCookies: isSecure(env),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    // Without it the token would be valid for thirty days, whatever the cookie says.
    jwt: { maxAge: COOKIE_SECONDS },
    cookies: nextAuthCookies(env),
    pages: { signIn: '/signin', error: '/signin' },
    providers: [passwordProvider(parts, visit), ...(visit.attempt ? [visit.attempt.provider] : [])],
    callbacks: {
      signIn: ({ user }) => user.id !== UNKNOWN_PERSON,
      redirect: ({ url, baseUrl }) => {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
        return baseUrl + (visit.attempt?.isProof && path === PROOF_PAGE ? PROOF_PAGE : callbackPath(path))
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') return beginSession(parts, visit, user.id, account?.provider)
        const session = { id: String(token.sid), userId: token.sub ?? '', issuedAtMs: 0 }
        // next-auth then clears the cookie and answers as to nobody.
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
    // next-auth's own log would contain profiles and tokens.
    logger: {
      error: (code) => logger.error({ code }, 'next-auth error'),
      warn: (code) => logger.debug({ code }, 'next-auth warning'),
      debug: () => {},
    },
  }
}

async function beginSession(parts: Parts, visit: Visit, userId: string, provider: string | undefined) {
  const { sessions, announcer, seal } = parts
  const { address, request, attempt } = visit
  visit.signedIn = userId
  const begin = (more: Pick<NewSession, 'method'> & Partial<NewSession>) =>
    sessions.begin({ userId, device: deviceOf(request.headers), address, ...more })
  if (provider !== 'oidc' || !attempt) {
    const method = provider === 'oidc' ? provider : 'password'
    return { sub: userId, sid: await begin({ method }) }
  }
  const { course } = attempt
  const { proven, proof } = course
  if (proven) {
    await sessions.recordProof(proven.id, proof)
    await announcer.userChanged(userId)
  }
  const sealToken = (id: string) => sealIdToken(seal, course, id)
  const sid = proven?.id ?? (await begin({ method: 'oidc', sealIdToken: sealToken, ...proof }))
  course.isIn = true
  return { sub: userId, sid }
}

export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError'
}
