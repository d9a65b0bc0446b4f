import 'server-only'
import NextAuth, { type AuthOptions } from 'next-auth'
import { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { UnauthenticatedError } from '@/server/base/errors'
import { findCallerAddress } from '@/server/base/request-context'
import { readBodyText } from './input'
import { tryParseJson } from '@/server/base/parse-input'
import { requireSameOrigin } from './origin'
import { errorResponse, HttpError, jsonResponse } from './responses'
import { toCallbackPath, interceptAuth } from './auth-actions'
import { describeDevice, signOut } from '@/server/access/sessions'
import type { ProviderClaims } from '@/server/access/oidc-claims'
import { COOKIE_SECONDS, usesHttps, nextAuthCookies, readSession } from '@/server/access/session-cookie'
import { type SignInAttempt, MAX_FORM_BYTES, createPasswordProvider } from '@/server/access/sign-in'
import { acceptSignOn, beginSignOn, finishSignOn, createOidcProvider, findSignOutUrl } from './single-sign-on'
import { BACK_CHANNEL_PATH, handleBackChannelLogout, type SignOnRequest, redactEmails } from './single-sign-on'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'

type AuthContext = { params: Promise<{ nextauth: string[] }> }
export type AuthAttempt = SignInAttempt & { request: Request; signOn: SignOnRequest | null }

export async function answerAuth(services: Services, request: NextRequest, context: AuthContext): Promise<Response> {
  try {
    // next-auth's own form token is not enough: anyone who can plant a cookie here could send it, too.
    requireSameOrigin(services, request, { isOptional: true })
    const { nextauth: path } = await context.params
    const isPost = request.method === 'POST'
    if (isPost && path.join('/') === BACK_CHANNEL_PATH) return await handleBackChannelLogout(services, request)
    const instead = interceptAuth(request, path)
    if (instead !== null) return instead
    let limited = request
    if (isPost) {
      const body = await readBodyText(request, MAX_FORM_BYTES)
      const isJson = request.headers.get('content-type')?.includes('application/json') === true
      if (isJson && tryParseJson(body) === null) throw new HttpError(400, 'Bad Request')
      const url = new URL(request.url)
      if (url.pathname.endsWith('/signin/oidc')) url.search = ''
      limited = new NextRequest(url, { method: request.method, headers: request.headers, body })
    }
    const signOn = await beginSignOn(services, request, path)
    if (signOn instanceof Response) return signOn
    const attempt: AuthAttempt = { request: limited, address: findCallerAddress() ?? 'unknown', signOn, failure: null }
    // Only our own page asks for the provider's address; scripts get next-auth's plain answer.
    const isSignOut = isPost && path[0] === 'signout'
    const isAsked = isSignOut && new URLSearchParams(await limited.clone().text()).get('provider') === 'true'
    const providerUrl = isAsked ? await findSignOutUrl(services, limited) : null
    const answering: Promise<Response> = NextAuth(limited, context, createAuthOptions(services, attempt))
    const answer = signOn ? await finishSignOn(services, signOn, answering) : await answering
    if (attempt.failure !== null) throw attempt.failure
    if (providerUrl !== null) return new Response(JSON.stringify({ ...(await answer.json()), providerUrl }), answer)
    const isPlain = answer.status < 400 || answer.headers.get('content-type')?.includes('json') === true
    return isPlain ? answer : jsonResponse({ error: 'Bad Request' }, answer.status)
  } catch (error) {
    return errorResponse(error)
  }
}

/** The cookie names only session and user, so that permissions can be revoked at once. */
export function createAuthOptions(services: Services, attempt: AuthAttempt): AuthOptions {
  const { env, viewers, logger } = services
  const { signOn } = attempt
  return {
    secret: env.auth.secret,
    useSecureCookies: usesHttps(env),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    // Without it the token would be valid for thirty days, whatever the cookie says.
    jwt: { maxAge: COOKIE_SECONDS },
    cookies: nextAuthCookies(env),
    pages: { signIn: '/signin', error: '/signin' },
    providers: [createPasswordProvider(services, attempt), ...(env.oidc ? [createOidcProvider(env.oidc, signOn)] : [])],
    callbacks: {
      signIn: ({ profile }) => !signOn || acceptSignOn(services, signOn, attempt.request, profile as ProviderClaims),
      redirect: ({ url, baseUrl }) => {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
        return baseUrl + (signOn?.isProof && path === PROOF_PAGE ? PROOF_PAGE : toCallbackPath(path))
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') return beginSession(services, attempt, user.id, account?.id_token)
        const session = { id: String(token.sid), userId: token.sub ?? '', issuedAtMs: 0 }
        // next-auth then clears the cookie and answers as to nobody.
        if ((await viewers.find(session)) === null) throw new UnauthenticatedError()
        return { sub: session.userId, sid: session.id }
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async () => {
        try {
          const session = await readSession(attempt.request, env)
          const viewer = session && (await viewers.find(session))
          if (viewer) await signOut(services, viewer, session)
        } catch (error) {
          attempt.failure = error
        }
      },
    },
    // The rest of what next-auth would log are profiles and tokens.
    logger: {
      error: (code, metadata) => {
        const error = metadata instanceof Error ? metadata : metadata.error
        logger.error({ code, detail: redactEmails(error?.message ?? '') }, 'next-auth error')
      },
      warn: (code) => logger.debug({ code }, 'next-auth warning'),
      debug: () => {},
    },
  }
}

async function beginSession(services: Services, attempt: AuthAttempt, userId: string, idToken = '') {
  const { sessions, announcer, seal } = services
  const { address, request, signOn } = attempt
  const where = { device: describeDevice(request.headers), address }
  if (!signOn?.verifiedUser) return { sub: userId, sid: await sessions.begin({ userId, method: 'password', ...where }) }
  const { userId: person, provenSession: proven, proof } = signOn.verifiedUser
  if (proven) {
    await sessions.recordProof(proven.id, proof)
    await announcer.announceUser(person)
    return { sub: person, sid: proven.id }
  }
  // A token with hundreds of groups makes the address too long; without it the provider asks before it signs out.
  const isShort = idToken.length <= 4_000
  const sealIdToken = (id: string) => (isShort ? seal.encrypt(idToken, sealContext.idToken(id)) : null)
  return { sub: person, sid: await sessions.begin({ userId: person, method: 'oidc', ...where, sealIdToken, ...proof }) }
}
