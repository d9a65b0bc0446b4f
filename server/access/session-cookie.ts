import type { CookiesOptions } from 'next-auth'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import { chooseLocale, type Locale, localeCookie } from '@/lib/i18n/locale'
import type { Env } from '@/server/base/env'
import { createLruCache } from '@/server/base/lru-cache'
import { isLoopback } from '@/server/base/safe-settings'

export type AuthEnv = Pick<Env, 'auth'>

/** The content of the session cookie. The database knows whether the session is still valid. */
export type Session = { id: string; userId: string; issuedAtMs: number }

/** Returns null without a valid cookie. */
export function readSession(request: { headers: Headers }, env: AuthEnv): Promise<Session | null> {
  return readSessionToken(readCookie(request, sessionCookieName(env)), env.auth.secret)
}

const tokenSchema = z.object({ sub: z.string().min(1), sid: z.string().min(1), iat: z.int(), exp: z.int() })

const sessionsByToken = createLruCache<{ session: Session; secret: string; expiresAtMs: number }>(10_000)

/** Returns null for an invalid token. Decrypting is slow, so valid tokens are cached until they expire. */
export async function readSessionToken(token: string, secret: string): Promise<Session | null> {
  const cached = sessionsByToken.get(token)
  if (cached?.secret === secret && Date.now() < cached.expiresAtMs) return cached.session
  try {
    const { sub, sid, iat, exp } = tokenSchema.parse(await decode({ token, secret }))
    const session = { id: sid, userId: sub, issuedAtMs: iat * 1000 }
    sessionsByToken.set(token, { session, secret, expiresAtMs: exp * 1000 })
    return session
  } catch {
    return null
  }
}

export const COOKIE_MAX_AGE_SECONDS = 8 * 3600
/** A cookie is renewed no sooner, so that not every answer sets one. */
export const RENEW_AFTER_MS = 15 * 60_000

export async function encodeSessionCookie(
  { id, userId }: Pick<Session, 'id' | 'userId'>,
  env: AuthEnv,
): Promise<string> {
  const token = { sub: userId, sid: id }
  const value = await encode({ token, secret: env.auth.secret, maxAge: COOKIE_MAX_AGE_SECONDS })
  // Scripts and other sites cannot read the cookie. `Secure` is left out where Intag runs over http.
  const attributes = `Path=/; Max-Age=${COOKIE_MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${usesHttps(env) ? '; Secure' : ''}`
  return `${sessionCookieName(env)}=${value}; ${attributes}`
}

/** next-auth's cookies with the options that it sets itself (its documentation, *Options*, `cookies`), by our names. */
export function nextAuthCookies(env: AuthEnv) {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: usesHttps(env) } as const
  const createCookie = (name: string) => ({ name: toCookieName(env, '__Secure-', name), options })
  return {
    sessionToken: { name: sessionCookieName(env), options },
    callbackUrl: createCookie('callback-url'),
    csrfToken: { name: toCookieName(env, '__Host-', 'csrf-token'), options },
    pkceCodeVerifier: createCookie('pkce.code_verifier'),
    state: createCookie('state'),
    nonce: createCookie('nonce'),
  } satisfies Partial<CookiesOptions>
}

export function sessionCookieName(env: AuthEnv) {
  return toCookieName(env, '__Host-', 'session-token')
}

/**
 * Browsers bind a name with `__Host-` to https and this host (RFC 6265bis, 4.1.3). Ports share cookies, so an unusual
 * port is part of the name. It comes first, as next-auth reads all cookies that begin like the session's.
 */
function toCookieName(env: AuthEnv, prefix: '__Host-' | '__Secure-', name: string) {
  const { url } = env.auth
  const { port } = new URL(url)
  // On port 3000, the default of `npm start`, the names stay those of next-auth, which scripts expect.
  const usualPort = !usesHttps(env) && isLoopback(url) ? '3000' : ''
  const prefixOfPort = port === usualPort ? '' : `${port || 80}.`
  return `${usesHttps(env) ? prefix : ''}${prefixOfPort}next-auth.${name}`
}

export function usesHttps({ auth }: AuthEnv) {
  return auth.url.startsWith('https:')
}

/** The language that the user has chosen, or else the one that the browser prefers. */
export function findLocale(request: { headers: Headers }): Locale {
  return chooseLocale(readCookie(request, localeCookie), request.headers.get('accept-language'))
}

function readCookie({ headers }: { headers: Headers }, name: string): string {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
