import 'server-only'
import { type Locale, localeCookie, chooseLocale } from '@/lib/i18n/locale'
import type { CookiesOptions } from 'next-auth'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import type { Env } from '@/server/base/env'
import { createLruCache } from '@/server/base/lru-cache'
import { isLoopback } from '@/server/base/safe-settings'

export type AuthEnv = Pick<Env, 'auth'>

/** The content of the session cookie. Whether the session is still valid is in the database. */
export type Session = { id: string; userId: string; issuedAtMs: number }

export function readSession(request: { headers: Headers }, env: AuthEnv): Promise<Session | null> {
  return readSessionToken(readCookie(request, sessionCookieName(env)), env.auth.secret)
}

export function readCookie(request: { headers: Headers }, name: string): string {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

export function sessionCookieName(env: AuthEnv): string {
  return toCookieName(env, 'next-auth.session-token')
}

/**
 * With the prefix, browsers accept it only over https from this very host (RFC 6265bis, section 4.1.3). Ports share
 * cookies (section 8.5), so any port but the usual one is part of the name, or two Intags on one host would end each
 * other's sessions. It comes first, because next-auth reads all cookies whose names begin with the session's.
 */
export function toCookieName({ auth }: AuthEnv, name: string, prefix: '__Host-' | '__Secure-' | '' = '__Host-'): string {
  const { protocol, port } = new URL(auth.url)
  const isSecured = protocol === 'https:'
  // Where `npm start` listens by default, next-auth's names stay what scripts expect.
  const usualPort = !isSecured && isLoopback(auth.url) ? '3000' : ''
  return `${isSecured ? prefix : ''}${port === usualPort ? '' : `${port || 80}.`}${name}`
}

/** next-auth's cookies as it makes them itself (its documentation, *Options*, `cookies`), by our names. */
export function nextAuthCookies(env: AuthEnv): CookiesOptions {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: usesHttps(env) } as const
  const named = (name: string) => ({ name: toCookieName(env, `next-auth.${name}`, '__Secure-'), options })
  return {
    sessionToken: { name: sessionCookieName(env), options },
    callbackUrl: named('callback-url'),
    csrfToken: { name: toCookieName(env, 'next-auth.csrf-token'), options },
    pkceCodeVerifier: named('pkce.code_verifier'),
    state: named('state'),
    nonce: named('nonce'),
  }
}

export function usesHttps(env: AuthEnv): boolean {
  return env.auth.url.startsWith('https:')
}

const tokenSchema = z.object({ sub: z.string().min(1), sid: z.string().min(1), iat: z.int(), exp: z.int() })

/** Null for an invalid token. Decrypting is slow, so valid tokens are cached until they expire. */
export async function readSessionToken(token: string, secret: string): Promise<Session | null> {
  const cached = sessionsByToken.get(token)
  if (cached?.secret === secret) return cached.session
  try {
    const { sub, sid, iat, exp } = tokenSchema.parse(await decode({ token, secret }))
    const session = { id: sid, userId: sub, issuedAtMs: iat * 1000 }
    sessionsByToken.set(token, { session, secret, expiresAtMs: exp * 1000 })
    return session
  } catch {
    return null
  }
}

const sessionsByToken = createLruCache<{ session: Session; secret: string; expiresAtMs: number }>(
  10_000,
  ({ expiresAtMs }) => Date.now() >= expiresAtMs,
)

export const COOKIE_SECONDS = 8 * 3600
export const RENEW_AFTER_MS = 15 * 60_000

export async function encodeSessionCookie(session: Omit<Session, 'issuedAtMs'>, env: AuthEnv): Promise<string> {
  const token = { sub: session.userId, sid: session.id }
  const value = await encode({ token, secret: env.auth.secret, maxAge: COOKIE_SECONDS })
  // No access by scripts or other sites, and over https only where there is https.
  const terms = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${usesHttps(env) ? '; Secure' : ''}`
  return `${sessionCookieName(env)}=${value}; ${terms}`
}

/** The language that the user has chosen, else the one that the browser prefers. */
export function findLocale(request: { headers: Headers }): Locale {
  return chooseLocale(readCookie(request, localeCookie), request.headers.get('accept-language'))
}
