import 'server-only'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import type { Env } from '@/server/env'

export type Session = { userId: string; epoch: number; issuedAtMs: number }

export const SESSION_SECONDS = 8 * 3600
/** A session in use is renewed at most this often. */
export const RENEW_AFTER_MS = 15 * 60_000

const tokenSchema = z.object({ sub: z.string().min(1), epoch: z.int(), iat: z.int() })

/** next-auth's own name; the prefix makes browsers refuse it over plain http. */
export function sessionCookieName(env: Pick<Env, 'auth'>): string {
  return isSecure(env) ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

export function isSecure(env: Pick<Env, 'auth'>): boolean {
  return env.auth.url.startsWith('https:')
}

/** Null for anything but an unexpired token of ours: another secret, another format, noise. */
export async function readSessionToken(token: string, secret: string): Promise<Session | null> {
  try {
    const { sub, epoch, iat } = tokenSchema.parse(await decode({ token, secret }))
    return { userId: sub, epoch, issuedAtMs: iat * 1000 }
  } catch {
    return null
  }
}

/** The `Set-Cookie` that carries the same session on for another eight hours. */
export async function renewedSessionCookie(session: Session, env: Pick<Env, 'auth'>): Promise<string> {
  const token = { sub: session.userId, epoch: session.epoch }
  const value = await encode({ token, secret: env.auth.secret, maxAge: SESSION_SECONDS })
  const attributes = `Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${isSecure(env) ? '; Secure' : ''}`
  return `${sessionCookieName(env)}=${value}; ${attributes}`
}
