import 'server-only'
import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { createRecent } from '@/server/recent'
import type { StoredUser, Users } from '@/server/users/users'
import { makeViewer, type Viewer } from './viewer'

/** What the session cookie says: the person, and the epoch of their sessions, which ends when access is taken away. */
export type Session = { userId: string; epoch: number; issuedAtMs: number }
export type Viewers = Pick<ReturnType<typeof createViewers>, 'find'>

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

type ViewersOptions = {
  users: Pick<Users, 'find'>
  now: () => number
  logger: Pick<Logger, 'warn'>
  /** Without it, or while it is 0, the row is read for each request. */
  holdsMs?: HoldsMs
}

/**
 * Who a session belongs to. The row is known in memory until it is told that it has changed (`forget`), so that taking
 * something away works at once. While the database cannot be read, what was read in the last 15 minutes and is not told to
 * have changed holds, for reading only; after that it fails.
 */
export function createViewers({ users, now, logger, holdsMs = () => 0 }: ViewersOptions) {
  const lastRead = createRecent<{ user: StoredUser | null; at: number }>(MOST_CACHED)
  let told = 0

  const read = async (id: string) => {
    const toldBefore = told
    const user = await users.find(id)
    // It may still have what was taken away meanwhile.
    if (told === toldBefore) lastRead.set(id, { user, at: now() })
    return user
  }
  const rows = createToldCache({ read, holdsMs, now, most: MOST_CACHED })
  const cached = (id: string, error: unknown) => {
    const known = lastRead.get(id)
    if (!known || now() - known.at >= CACHE_MS) throw error
    logger.warn({ err: error }, 'users cannot be read; what was read last holds, for reading only')
    return known.user
  }

  return {
    /** Changed role, schools, password or admission: what was known of the person holds no longer. */
    forget: (id: string): void => {
      told += 1
      lastRead.drop(id)
      rows.forget(id)
    },
    /** Changes may have been missed: everybody is read anew, and only where that fails does it hold on. */
    forgetAll: (): void => {
      told += 1
      rows.forgetAll()
    },
    async find(session: Session): Promise<Viewer | null> {
      try {
        const user = await rows.get(session.userId)
        return isValid(user, session) ? viewerOf(user) : null
      } catch (error) {
        const user = cached(session.userId, error)
        return isValid(user, session) ? makeViewer(user, { readOnly: true }) : null
      }
    },
  }
}

/** One viewer for each row that was read, so that what is computed for a viewer can be kept beside it. */
function viewerOf(user: StoredUser): Viewer {
  const viewer = viewersByRow.get(user) ?? makeViewer(user)
  viewersByRow.set(user, viewer)
  return viewer
}

const viewersByRow = new WeakMap<StoredUser, Viewer>()

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

const tokenSchema = z.object({ sub: z.string().min(1), epoch: z.int(), iat: z.int(), exp: z.int() })

/**
 * Null for anything but an unexpired token of ours: another secret, another format, noise. Deciphering one takes longer than
 * most routes, so what a token says is remembered until it expires.
 */
export async function readSessionToken(token: string, secret: string): Promise<Session | null> {
  const known = deciphered.get(token)
  if (known?.secret === secret) return known.session
  try {
    const { sub, epoch, iat, exp } = tokenSchema.parse(await decode({ token, secret }))
    const session = { userId: sub, epoch, issuedAtMs: iat * 1000 }
    deciphered.set(token, { session, secret, expiresAtMs: exp * 1000 })
    return session
  } catch {
    return null
  }
}

type Deciphered = { session: Session; secret: string; expiresAtMs: number }
const deciphered = createRecent<Deciphered>(MOST_CACHED, ({ expiresAtMs }) => Date.now() >= expiresAtMs)

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
