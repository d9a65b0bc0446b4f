import 'server-only'
import NextAuth, { type AuthOptions } from 'next-auth'
import { NextRequest } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { UnauthenticatedError } from '@/server/base/errors'
import { callerAddress } from '@/server/base/request-context'
import { readText } from './input'
import { parsedJson } from '@/server/base/parse-input'
import { requireSameOrigin } from './origin'
import { errorResponse, HttpError, jsonResponse } from './responses'
import { callbackPath, responseInsteadOfNextAuth } from './auth-actions'
import { describeDevice, signOut } from '@/server/access/sessions'
import type { ProviderClaims } from '@/server/access/oidc-claims'
import { COOKIE_SECONDS, isSecure, nextAuthCookies, sessionOf } from '@/server/access/session-cookie'
import { type Caller, MAX_FORM_BYTES, passwordProvider } from '@/server/access/sign-in'
import { admit, beginSignOn, finishSignOn, oidcProvider, providerSignOutUrl } from './single-sign-on'
import { BACK_CHANNEL, backChannelLogout, type SignOn, withoutAddresses } from './single-sign-on'
import { placeOf } from '@/server/base/sealed-columns'
import type { Services } from '@/server/base/services'

type AuthContext = { params: Promise<{ nextauth: string[] }> }
export type Visit = Caller & { request: Request; signOn: SignOn | null }

export async function answerAuth(services: Services, request: NextRequest, context: AuthContext): Promise<Response> {
  try {
    // next-auth's own form token is not enough: anyone who can plant a cookie here could send it, too.
    requireSameOrigin(services, request, { isOptional: true })
    const { nextauth: path } = await context.params
    const isPost = request.method === 'POST'
    if (isPost && path.join('/') === BACK_CHANNEL) return await backChannelLogout(services, request)
    const instead = responseInsteadOfNextAuth(request, path)
    if (instead !== null) return instead
    let limited = request
    if (isPost) {
      const body = await readText(request, MAX_FORM_BYTES)
      const isJson = request.headers.get('content-type')?.includes('application/json') === true
      if (isJson && parsedJson(body) === null) throw new HttpError(400, 'Bad Request')
      const url = new URL(request.url)
      if (url.pathname.endsWith('/signin/oidc')) url.search = ''
      limited = new NextRequest(url, { method: request.method, headers: request.headers, body })
    }
    const signOn = await beginSignOn(services, request, path)
    if (signOn instanceof Response) return signOn
    const visit: Visit = { request: limited, address: callerAddress() ?? 'unknown', signOn, failure: null }
    // Only our own page asks for the provider's address; scripts get next-auth's plain answer.
    const isSignOut = isPost && path[0] === 'signout'
    const isAsked = isSignOut && new URLSearchParams(await limited.clone().text()).get('provider') === 'true'
    const providerUrl = isAsked ? await providerSignOutUrl(services, limited) : null
    const answering: Promise<Response> = NextAuth(limited, context, authOptions(services, visit))
    const answer = signOn ? await finishSignOn(services, signOn, answering) : await answering
    if (visit.failure !== null) throw visit.failure
    if (providerUrl !== null) return new Response(JSON.stringify({ ...(await answer.json()), providerUrl }), answer)
    const isPlain = answer.status < 400 || answer.headers.get('content-type')?.includes('json') === true
    return isPlain ? answer : jsonResponse({ error: 'Bad Request' }, answer.status)
  } catch (error) {
    return errorResponse(error)
  }
}

/** The cookie names only session and user, so that permissions can be revoked at once. */
export function authOptions(services: Services, visit: Visit): AuthOptions {
  const { env, viewers, logger } = services
  const { signOn } = visit
  return {
    secret: env.auth.secret,
    useSecureCookies: isSecure(env),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    // Without it the token would be valid for thirty days, whatever the cookie says.
    jwt: { maxAge: COOKIE_SECONDS },
    cookies: nextAuthCookies(env),
    pages: { signIn: '/signin', error: '/signin' },
    providers: [passwordProvider(services, visit), ...(env.oidc ? [oidcProvider(env.oidc, signOn)] : [])],
    callbacks: {
      signIn: ({ profile }) => !signOn || admit(services, signOn, visit.request, profile as ProviderClaims),
      redirect: ({ url, baseUrl }) => {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url
        return baseUrl + (signOn?.isProof && path === PROOF_PAGE ? PROOF_PAGE : callbackPath(path))
      },
      jwt: async ({ token, user, account, trigger }) => {
        if (trigger === 'signIn') return beginSession(services, visit, user.id, account?.id_token)
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
          const session = await sessionOf(visit.request, env)
          const viewer = session && (await viewers.find(session))
          if (viewer) await signOut(services, viewer, session)
        } catch (error) {
          visit.failure = error
        }
      },
    },
    // The rest of what next-auth would log are profiles and tokens.
    logger: {
      error: (code, metadata) => {
        const error = metadata instanceof Error ? metadata : metadata.error
        logger.error({ code, detail: withoutAddresses(error?.message ?? '') }, 'next-auth error')
      },
      warn: (code) => logger.debug({ code }, 'next-auth warning'),
      debug: () => {},
    },
  }
}

async function beginSession(services: Services, visit: Visit, userId: string, idToken = '') {
  const { sessions, announcer, seal } = services
  const { address, request, signOn } = visit
  const where = { device: describeDevice(request.headers), address }
  if (!signOn?.admitted) return { sub: userId, sid: await sessions.begin({ userId, method: 'password', ...where }) }
  const { userId: person, proven, proof } = signOn.admitted
  if (proven) {
    await sessions.recordProof(proven.id, proof)
    await announcer.userChanged(person)
    return { sub: person, sid: proven.id }
  }
  // A token with hundreds of groups makes the address too long; without it the provider asks before it signs out.
  const isShort = idToken.length <= 4_000
  const sealIdToken = (id: string) => (isShort ? seal.encrypt(idToken, placeOf.idToken(id)) : null)
  return { sub: person, sid: await sessions.begin({ userId: person, method: 'oidc', ...where, sealIdToken, ...proof }) }
}
