import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import { MINUTE_MS } from '@/lib/time/durations'
import { createLruCache } from '@/server/base/lru-cache'
import { type AuthEnv, readCookie, toSessionCookieName, usesHttps } from './cookies'

/** The content of the session cookie. The database knows whether the session is still valid. */
export type Session = { id: string; userId: string; issuedAtMs: number }

const tokenSchema = z.object({ sub: z.string().min(1), sid: z.string().min(1), iat: z.int(), exp: z.int() })

/** Valid tokens are cached, because decrypting is slow. The token alone is the key: a process has one secret. */
const sessionsByToken = createLruCache<{ session: Session; expiresAtMs: number }>(10_000)

export async function readSession(request: { headers: Headers }, env: AuthEnv): Promise<Session | null> {
  const token = readCookie(request, toSessionCookieName(env))
  const cachedEntry = sessionsByToken.get(token)
  if (cachedEntry && Date.now() < cachedEntry.expiresAtMs) return cachedEntry.session
  try {
    const { sub, sid, iat, exp } = tokenSchema.parse(await decode({ token, secret: env.auth.secret }))
    const session = { id: sid, userId: sub, issuedAtMs: iat * 1000 }
    sessionsByToken.set(token, { session, expiresAtMs: exp * 1000 })
    return session
  } catch {
    return null
  }
}

export const COOKIE_MAX_AGE_SECONDS = 8 * 3600
export const COOKIE_RENEW_AFTER_MS = 15 * MINUTE_MS

export async function serializeSessionCookie({ id, userId }: Omit<Session, 'issuedAtMs'>, env: AuthEnv) {
  const token = { sub: userId, sid: id }
  const value = await encode({ token, secret: env.auth.secret, maxAge: COOKIE_MAX_AGE_SECONDS })
  const attributes = `Path=/; Max-Age=${COOKIE_MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`
  return `${toSessionCookieName(env)}=${value}; ${attributes}${usesHttps(env) ? '; Secure' : ''}`
}
