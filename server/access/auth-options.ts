import 'server-only'
import type { AuthOptions, LoggerInstance } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { callbackPath } from './callback-path'
import { clientAddress } from './client-address'
import { oidcProvider, UNKNOWN_PERSON } from './oidc-provider'
import { isSecure, SESSION_SECONDS } from './session-token'
import type { SignIn } from './sign-in'
import { isStorableText } from '@/server/http/storable-text'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import type { Users } from '@/server/users/users'

type Parts = { env: Pick<Env, 'auth' | 'oidc'>; signIn: SignIn; users: Pick<Users, 'find'>; logger: Logger }

/**
 * Everything next-auth is told. The session is a cookie with the user's id and epoch and nothing else; who that
 * is and what they may do is read from the database at each request.
 */
export function authOptions({ env, signIn, users, logger }: Parts): AuthOptions {
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
