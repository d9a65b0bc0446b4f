import 'server-only'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import type { StoredUser, Users } from '@/server/users/users'
import { makeViewer, type Viewer } from './viewer'

/** What the session cookie says: the person, and the epoch of their sessions, which ends when access is taken away. */
export type Session = { userId: string; epoch: number; issuedAtMs: number }
export type Viewers = ReturnType<typeof createViewers>

/** Who makes a request, or null without a valid session of somebody who is still let in. */
export async function signedIn(
  { env, viewers }: { env: Pick<Env, 'auth'>; viewers: Viewers },
  request: Request,
): Promise<{ session: Session; viewer: Viewer } | null> {
  const session = await readSessionToken(cookieOf(request, sessionCookieName(env)), env.auth.secret)
  const viewer = session && (await viewers.find(session))
  return session && viewer && { session, viewer }
}

function cookieOf(request: Request, name: string): string {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

const CACHE_MS = 15 * 60_000
const MOST_CACHED = 10_000

/**
 * Who a session belongs to, read anew each time, so that taking something away works at once. While the
 * database cannot be read, what was read in the last 15 minutes holds, for reading only; after that it fails.
 */
export function createViewers({
  users,
  now,
  logger,
}: {
  users: Pick<Users, 'find'>
  now: () => number
  logger: Pick<Logger, 'warn'>
}) {
  const lastRead = new Map<string, { user: StoredUser | null; at: number }>()

  const cache = (id: string, user: StoredUser | null) => {
    lastRead.delete(id)
    lastRead.set(id, { user, at: now() })
    const [oldest] = lastRead.keys()
    if (lastRead.size > MOST_CACHED && oldest !== undefined) lastRead.delete(oldest)
  }
  const cached = (id: string, error: unknown) => {
    const known = lastRead.get(id)
    if (!known || now() - known.at >= CACHE_MS) throw error
    logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
    return known.user
  }

  return {
    async find(session: Session): Promise<Viewer | null> {
      try {
        const user = await users.find(session.userId)
        cache(session.userId, user)
        return isValid(user, session) ? makeViewer(user) : null
      } catch (error) {
        const user = cached(session.userId, error)
        return isValid(user, session) ? makeViewer(user, { readOnly: true }) : null
      }
    },
  }
}

function isValid(user: StoredUser | null, session: Session): user is StoredUser {
  return user !== null && !user.disabled && user.sessionEpoch === session.epoch
}

/** next-auth's own name; the prefix makes browsers refuse it over plain http. */
export function sessionCookieName(env: Pick<Env, 'auth'>): string {
  return isSecure(env) ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

export function isSecure(env: Pick<Env, 'auth'>): boolean {
  return env.auth.url.startsWith('https:')
}

const tokenSchema = z.object({ sub: z.string().min(1), epoch: z.int(), iat: z.int() })

/** Null for anything but an unexpired token of ours: another secret, another format, noise. */
export async function readSessionToken(token: string, secret: string): Promise<Session | null> {
  try {
    const { sub, epoch, iat } = tokenSchema.parse(await decode({ token, secret }))
    return { userId: sub, epoch, issuedAtMs: iat * 1000 }
  } catch {
    return null
  }
}

export const SESSION_SECONDS = 8 * 3600
/** A session in use is renewed at most this often. */
export const RENEW_AFTER_MS = 15 * 60_000

/** The `Set-Cookie` that carries the same session on for another eight hours. */
export async function renewedSessionCookie(session: Session, env: Pick<Env, 'auth'>): Promise<string> {
  const token = { sub: session.userId, epoch: session.epoch }
  const value = await encode({ token, secret: env.auth.secret, maxAge: SESSION_SECONDS })
  const attributes = `Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${isSecure(env) ? '; Secure' : ''}`
  return `${sessionCookieName(env)}=${value}; ${attributes}`
}
