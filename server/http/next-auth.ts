import { STATUS_CODES } from 'node:http'
import NextAuth, { type AuthOptions } from 'next-auth'
import { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { createNextAuthCookies } from '@/server/access/cookies'
import type { ProviderClaims } from '@/server/access/oidc-claims'
import { describeDevice, signOut } from '@/server/access/own-sessions'
import { COOKIE_MAX_AGE_SECONDS, readSession } from '@/server/access/session-cookie'
import { createPasswordProvider, type SignInAttempt } from '@/server/access/sign-in'
import { NotFoundError, UnauthenticatedError } from '@/server/base/errors'
import { redactEmails } from '@/server/base/logger'
import { tryParseJson } from '@/server/base/parse-input'
import { findCallerAddress } from '@/server/base/request-context'
import type { Services } from '@/server/base/services'
import { isExposedAction, toCallbackPath } from './auth-actions'
import { MAX_ANONYMOUS_BODY_BYTES, readBodyText } from './input'
import { createOidcProvider } from './oidc-provider'
import { requireSameOrigin } from './origin'
import { BACK_CHANNEL_PATH, findSignOutUrl, handleBackChannelLogout } from './provider-logout'
import { errorResponse, HttpError, jsonResponse } from './responses'
import { acceptSignOn, runSignOn, type SignOn } from './single-sign-on'

type AuthContext = { params: Promise<{ nextauth: string[] }> }
type AuthAttempt = SignInAttempt & { request: Request; signOn: SignOn | null }

export async function answerAuth(services: Services, request: NextRequest, context: AuthContext): Promise<Response> {
  try {
    // next-auth's CSRF token does not suffice: anyone who can set a cookie for this host could send one.
    requireSameOrigin(services, request, { isOriginOptional: true })
    const { nextauth: segments } = await context.params
    const isPost = request.method === 'POST'
    if (isPost && segments.join('/') === BACK_CHANNEL_PATH) return await handleBackChannelLogout(services, request)
    if (!isExposedAction(request.method, segments)) throw new NotFoundError()
    const sanitized = isPost ? await sanitizePost(request) : request
    // The provider's address is built first, because it holds the id token, which signing out deletes.
    const providerUrl = segments[0] === 'signout' ? await findSignOutUrl(services, sanitized) : null
    // Single sign-on reads the original request, which still has the query with the prompt.
    const response = await runSignOn(services, request, segments, async (signOn) => {
      const address = findCallerAddress() ?? 'unknown'
      const attempt: AuthAttempt = { request: sanitized, address, signOn, failure: null }
      const answer: Response = await NextAuth(sanitized, context, createAuthOptions(services, attempt))
      if (attempt.failure !== null) throw attempt.failure
      return answer
    })
    if (providerUrl !== null) return Response.json({ ...(await response.json()), providerUrl }, response)
    const isErrorPage = response.status >= 400 && !response.headers.get('content-type')?.includes('json')
    return isErrorPage ? jsonResponse({ error: STATUS_CODES[response.status] }, response.status) : response
  } catch (error) {
    return errorResponse(error)
  }
}

/** Limits the body, and removes a sign-on's query, which next-auth would pass on to the provider. */
async function sanitizePost(request: NextRequest): Promise<NextRequest> {
  const { headers, method } = request
  const body = await readBodyText(request, MAX_ANONYMOUS_BODY_BYTES)
  const isJson = headers.get('content-type')?.includes('application/json') === true
  if (isJson && tryParseJson(body) === null) throw new HttpError(400, 'Bad Request')
  const url = new URL(request.url)
  if (url.pathname.endsWith('/signin/oidc')) url.search = ''
  return new NextRequest(url, { method, headers, body })
}

/** The cookie holds only the ids of session and user, so that permissions can be revoked at once. */
function createAuthOptions(services: Services, attempt: AuthAttempt): AuthOptions {
  const { env, viewers, logger } = services
  const { signOn } = attempt
  return {
    secret: env.auth.secret,
    session: { strategy: 'jwt', maxAge: COOKIE_MAX_AGE_SECONDS },
    // Without `maxAge` the token would be valid for thirty days, whatever the cookie says.
    jwt: { maxAge: COOKIE_MAX_AGE_SECONDS },
    cookies: createNextAuthCookies(env),
    pages: { signIn: '/signin', signOut: '/signin', error: '/signin' },
    providers: [createPasswordProvider(services, attempt), ...(env.oidc ? [createOidcProvider(env.oidc, signOn)] : [])],
    callbacks: {
      signIn: ({ profile }) => !signOn || acceptSignOn(services, signOn, attempt.request, profile as ProviderClaims),
      redirect: ({ url, baseUrl }) => {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
        return baseUrl + (signOn?.isReauthentication && path === PROOF_PAGE ? PROOF_PAGE : toCallbackPath(path))
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') return beginSession(services, attempt, user.id, account?.id_token)
        const session = { id: String(token.sid), userId: token.sub ?? '' }
        // An outage must not sign the user out, so its error replaces the answer of next-auth, which clears the cookie.
        const viewer = await viewers.find(session).catch((error: unknown) => {
          attempt.failure = error
          throw error
        })
        if (viewer === null) throw new UnauthenticatedError()
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
          // next-auth swallows the error and would answer that the user is signed out.
          attempt.failure = error
        }
      },
    },
    // Codes and messages without e-mail addresses are logged, but no metadata, which contain profiles and tokens.
    logger: {
      error: (code, metadata) => {
        const error = metadata instanceof Error ? metadata : metadata.error
        logger.error({ code, detail: redactEmails(error?.message ?? '') }, 'next-auth error')
      },
      warn: (code) => logger.debug({ code }, 'next-auth warning'),
    },
  }
}

/** A longer id token, of a user with many groups, is not stored: it would make the sign-out address too long. */
const MAX_ID_TOKEN_LENGTH = 4_000

/** Begins a session, or records the proof that a session asked for. Returns the content of the session cookie. */
async function beginSession(services: Services, attempt: AuthAttempt, signedInId: string, idToken = '') {
  const { sessions, announcer } = services
  const { address, request, signOn } = attempt
  const client = { device: describeDevice(request.headers), address }
  const verifiedUser = signOn?.verifiedUser
  if (!verifiedUser) {
    const sid = await sessions.begin({ userId: signedInId, method: 'password', ...client })
    return { sub: signedInId, sid }
  }
  const { userId, provenSession, proof } = verifiedUser
  if (provenSession) {
    await sessions.recordProof(provenSession.id, proof)
    await announcer.announceUser(userId)
    return { sub: userId, sid: provenSession.id }
  }
  const signOutHint = idToken.length <= MAX_ID_TOKEN_LENGTH ? idToken : null
  const sid = await sessions.begin({ userId, method: 'oidc', ...client, ...proof, idToken: signOutHint })
  return { sub: userId, sid }
}
