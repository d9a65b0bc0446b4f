import { chooseLocale, type Locale, localeCookie } from '@/lib/i18n/locale'
import type { Env } from '@/server/base/env'

export type AuthEnv = Pick<Env, 'auth'>

/** Over https the prefix binds the cookie to this host (RFC 6265bis, 4.1.3), more closely than next-auth's own does. */
export function toSessionCookieName(env: AuthEnv) {
  return `${usesHttps(env) ? '__Host-' : ''}next-auth.session-token`
}

/** Returns the name that next-auth gives to a cookie of a sign-in under way. */
export function toSignInCookieName(env: AuthEnv, name: 'callback-url' | 'state') {
  return `${usesHttps(env) ? '__Secure-' : ''}next-auth.${name}`
}

export function usesHttps({ auth }: AuthEnv) {
  return auth.url.startsWith('https:')
}

export function findLocale(request: { headers: Headers }): Locale {
  return chooseLocale(readCookie(request, localeCookie), request.headers.get('accept-language'))
}

export function readCookie({ headers }: { headers: Headers }, name: string): string {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
