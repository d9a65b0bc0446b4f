import 'server-only'
import NextAuth, { type AuthOptions, type LoggerInstance } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { NextRequest } from 'next/server'
import { z } from 'zod'
import type { Activity } from '@/server/activity/activity'
import { askedFrom } from '@/server/activity/asked-from'
import type { Env } from '@/server/env'
import { addressOf } from '@/server/http/address'
import { readText, isStorableText } from '@/server/http/input'
import { errorResponse, jsonResponse } from '@/server/http/responses'
import type { Logger } from '@/server/logger'
import type { Users } from '@/server/users/users'
import { callbackPath } from './callback-path'
import { isSecure, SESSION_SECONDS } from './session'
import type { SignIn } from './sign-in'

type Parts = {
  env: Pick<Env, 'auth' | 'oidc'>
  signIn: SignIn
  users: Pick<Users, 'find'>
  activity: Pick<Activity, 'record'>
  logger: Logger
}
export type AuthContext = { params: Promise<{ nextauth: string[] }> }

/** Everything below `/api/auth`, as next-auth answers it. */
export async function answerAuth(parts: Parts, request: NextRequest, context: AuthContext): Promise<Response> {
  try {
    const limited = request.method === 'POST' ? await withLimitedBody(request) : request
    const answer = () => NextAuth(limited, context, authOptions(parts))
    return withJsonError(await askedFrom(addressOf(request), answer))
  } catch (error) {
    return errorResponse(error)
  }
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
  return new NextRequest(request.url, { method: request.method, headers: request.headers, body })
}

/**
 * next-auth's configuration. The session is a cookie with the user's id and epoch and nothing else; who that
 * is and what they may do is never in it, so that it can be taken away at once.
 */
export function authOptions({ env, signIn, users, activity, logger }: Parts): AuthOptions {
  return {
    secret: env.auth.secret,
    useSecureCookies: isSecure(env),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/signin', error: '/signin' },
    providers: [credentialsProvider(signIn, logger), ...(env.oidc ? [oidcProvider(env.oidc, signIn)] : [])],
    callbacks: {
      signIn: ({ user }) => user.id !== UNKNOWN_PERSON,
      redirect: ({ url, baseUrl }) =>
        baseUrl + callbackPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
      jwt: async ({ token, user, trigger }) => {
        if (trigger !== 'signIn') return { sub: token.sub ?? '', epoch: token.epoch }
        const stored = await users.find(user.id)
        return { sub: user.id, epoch: stored?.sessionEpoch ?? null }
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    // Signing out works also while it cannot be logged.
    events: {
      signOut: async ({ token }) => {
        const left = activity.record({ userId: token.sub ?? null, action: 'sign-out' })
        await left.catch((err: unknown) => logger.warn({ err }, 'a sign-out could not be logged'))
      },
    },
    logger: quietLogger(logger),
  }
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

/** Any OpenID Connect provider, found by its discovery document. `profile` answers our user's id, not the provider's. */
function oidcProvider(oidc: NonNullable<Env['oidc']>, signIn: SignIn): OAuthConfig<Record<string, unknown>> {
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    async profile(claims) {
      const result = await signIn.withClaims(claims)
      return { id: result.ok ? result.user.id : UNKNOWN_PERSON }
    },
  }
}

/** next-auth wants an id to go on; the sign-in callback then refuses this one. */
const UNKNOWN_PERSON = 'unknown-person'

/**
 * The last entry of X-Forwarded-For is the one that our own side of the network wrote (Next itself, or the
 * proxy in front of it); the earlier ones are whatever the client claims.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown'
}
