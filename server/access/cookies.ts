import type { CookiesOptions } from 'next-auth'
import { chooseLocale, type Locale, LOCALE_COOKIE } from '@/lib/i18n/locale'
import type { Env } from '@/server/base/env'
import { isLoopback } from '@/server/base/loopback'

export type AuthEnv = Pick<Env, 'auth'>

/** Returns next-auth's cookies under our names, with next-auth's default options (its documentation, *Options*). */
export function createNextAuthCookies(env: AuthEnv) {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: usesHttps(env) } as const
  const createCookie = (name: string) => ({ name: toCookieName(env, '__Secure-', name), options })
  return {
    sessionToken: { name: toSessionCookieName(env), options },
    callbackUrl: createCookie('callback-url'),
    csrfToken: { name: toCookieName(env, '__Host-', 'csrf-token'), options },
    pkceCodeVerifier: createCookie('pkce.code_verifier'),
    state: createCookie('state'),
    nonce: createCookie('nonce'),
  } satisfies Partial<CookiesOptions>
}

export function toSessionCookieName(env: AuthEnv) {
  return toCookieName(env, '__Host-', 'session-token')
}

/**
 * Over https a prefix binds the cookie (RFC 6265bis, 4.1.3). An unusual port follows, because ports share cookies; it
 * stands before next-auth's name, because next-auth reads all cookies that begin like the session's.
 */
function toCookieName(env: AuthEnv, prefix: '__Host-' | '__Secure-', name: string) {
  const { url } = env.auth
  const { port } = new URL(url)
  // On port 3000, the default of `npm start`, the names stay those of next-auth, which scripts expect.
  const usualPort = !usesHttps(env) && isLoopback(url) ? '3000' : ''
  const portPrefix = port === usualPort ? '' : `${port || 80}.`
  return `${usesHttps(env) ? prefix : ''}${portPrefix}next-auth.${name}`
}

export function usesHttps({ auth }: AuthEnv) {
  return auth.url.startsWith('https:')
}

export function findLocale(request: { headers: Headers }): Locale {
  return chooseLocale(readCookie(request, LOCALE_COOKIE), request.headers.get('accept-language'))
}

export function readCookie({ headers }: { headers: Headers }, name: string): string {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
