import 'server-only'
import NextAuth, { type AuthOptions, type LoggerInstance } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { NextRequest } from 'next/server'
import { z } from 'zod'
import type { Env } from '@/server/env'
import { readText, isStorableText } from '@/server/http/input'
import { errorResponse, jsonResponse } from '@/server/http/responses'
import type { Logger } from '@/server/logger'
import { callbackPath } from './callback-path'
import { type EndingParts, signOut } from './end-sessions'
import type { Viewers } from './session'
import { COOKIE_SECONDS, isSecure, sessionCookieName, sessionOf } from './session-cookie'
import { providerSignOutUrl, withSignedOut } from './provider-sign-out'
import { deviceOf, type Sessions } from './sessions'
import type { SignIn } from './sign-in'
import { beginSignOn, type SignOnAttempt, type SignOnParts, UNKNOWN_PERSON } from './single-sign-on'

type Parts = {
  env: Pick<Env, 'auth' | 'oidc'>
  signIn: SignIn
  sessions: Pick<Sessions, 'begin' | 'end' | 'endAll' | 'find'>
  viewers: Viewers
  logger: Logger
} & EndingParts &
  SignOnParts
export type AuthContext = { params: Promise<{ nextauth: string[] }> }

/** Everything below `/api/auth`, as next-auth answers it. */
export async function answerAuth(parts: Parts, request: NextRequest, context: AuthContext): Promise<Response> {
  try {
    const limited = request.method === 'POST' ? await withLimitedBody(request) : request
    const { nextauth: path } = await context.params
    const attempt = await beginSignOn(parts, request, path)
    const providerUrl = await wantedSignOutUrl(parts, limited, path)
    const failures: unknown[] = []
    const answer = await NextAuth(limited, context, authOptions(parts, limited, { failures, attempt }))
    // next-auth would say that somebody is signed out whose session goes on.
    if (failures.length > 0) throw failures[0]
    const isSignOut = request.method === 'POST' && path[0] === 'signout'
    if (isSignOut) return await withSignedOut(answer, parts.env, providerUrl)
    return withJsonError(attempt?.finish(answer) ?? answer)
  } catch (error) {
    return errorResponse(error)
  }
}

/** Our own page asks for the provider's address, too; scripts are answered as next-auth has it. */
async function wantedSignOutUrl(parts: Parts, request: NextRequest, [action]: string[]): Promise<string | null> {
  if (request.method !== 'POST' || action !== 'signout') return null
  const fields = new URLSearchParams(await request.clone().text())
  return fields.get('provider') === 'true' ? providerSignOutUrl(parts, request) : null
}

/** next-auth answers unknown requests in plain text; every error of ours is JSON. */
function withJsonError(response: Response): Response {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return response.status < 400 || isJson ? response : jsonResponse({ error: 'Bad Request' }, response.status)
}

/** An e-mail, a password and a token need far less; next-auth itself would read whatever anybody sends. */
const LIMIT_BYTES = 20_000

async function withLimitedBody(request: NextRequest): Promise<NextRequest> {
  const body = await readText(request, LIMIT_BYTES)
  const url = new URL(request.url)
  // next-auth would hand whatever stands there on to the provider.
  if (url.pathname.endsWith('/signin/oidc')) url.search = ''
  return new NextRequest(url, { method: request.method, headers: request.headers, body })
}

/**
 * next-auth's configuration for one request. The cookie names the session and whose it is, and nothing else: whether it
 * holds, who that is and what they may do is never in it, so that all of it can be taken away at once. What fails where next-auth
 * goes on as if nothing had happened is put with `failures`; `attempt` is a sign-in by the provider.
 */
export function authOptions(
  parts: Parts,
  request: Request,
  { failures = [], attempt = null }: { failures?: unknown[]; attempt?: SignOnAttempt | null } = {},
): AuthOptions {
  const { env, signIn, sessions, viewers, logger } = parts
  return {
    secret: env.auth.secret,
    useSecureCookies: isSecure(env),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    cookies: { sessionToken: { name: sessionCookieName(env), options: cookieOptions(env) } },
    pages: { signIn: '/signin', error: '/signin' },
    providers: [credentialsProvider(signIn, logger), ...(attempt ? [attempt.provider] : [])],
    callbacks: {
      signIn: ({ user }) => user.id !== UNKNOWN_PERSON,
      redirect: ({ url, baseUrl }) =>
        baseUrl + callbackPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') {
          const method = account?.provider === 'oidc' ? 'oidc' : 'password'
          const address = clientAddress(request.headers.get('x-forwarded-for'))
          const device = deviceOf(request.headers)
          const idToken = method === 'oidc' && attempt ? { sealIdToken: attempt.sealIdToken } : {}
          const sid = await sessions.begin({ userId: user.id, method, device, address, ...idToken })
          attempt?.cameIn()
          return { sub: user.id, sid }
        }
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
          const session = await sessionOf(request, env)
          const viewer = session && (await viewers.find(session))
          if (viewer) await signOut(parts, viewer, session)
        } catch (error) {
          failures.push(error)
        }
      },
    },
    logger: quietLogger(logger),
  }
}

class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError'
}

function cookieOptions(env: Pick<Env, 'auth'>) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(env) } as const
}

const credentialsSchema = z.object({
  email: z.string().min(1).max(200).refine(isStorableText),
  password: z.string().min(1).max(200),
})

/** A refusal is next-auth's `CredentialsSignin`; `TooManyAttempts:<seconds>` and `Unavailable` are ours. */
function credentialsProvider(signIn: SignIn, logger: Logger) {
  return Credentials({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    async authorize(input, request) {
      const given = credentialsSchema.safeParse(input)
      if (!given.success) return null
      const forwardedFor: unknown = request.headers?.['x-forwarded-for']
      const address = clientAddress(typeof forwardedFor === 'string' ? forwardedFor : null)
      const result = await signIn.withPassword({ ...given.data, address }).catch((error: unknown) => {
        logger.error({ err: error }, 'sign-in failed')
        throw new Error('Unavailable')
      })
      if (result.ok) return { id: result.user.id }
      if (result.reason === 'too-many-attempts') throw new Error(`TooManyAttempts:${result.retryAfterSeconds}`)
      return null
    },
  })
}

/** What next-auth would print beside the code can hold profiles and tokens. */
function quietLogger(logger: Logger): LoggerInstance {
  return {
    error: (code) => logger.error({ code }, 'next-auth error'),
    warn: (code) => logger.debug({ code }, 'next-auth warning'),
    debug: () => {},
  }
}

/**
 * The last entry of X-Forwarded-For is the one that our own side of the network wrote (Next itself, or the
 * proxy in front of it); the earlier ones are whatever the client claims.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown'
}
