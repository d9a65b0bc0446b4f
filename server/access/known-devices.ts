import 'server-only'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, lt, notInArray, or } from 'drizzle-orm'
import { knownDevices } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import type { Env } from '@/server/env'
import { cookieOf, isSecure, setCookie } from './session-cookie'

export type KnownDevices = ReturnType<typeof createKnownDevices>

export const VALID_DAYS = 180
const DAY_MS = 24 * 3_600_000
export const MOST_OF_A_PERSON = 20

/**
 * Browsers somebody has signed in from: other people's guesses do not shut them out there. A browser has one token, in a
 * cookie that scripts cannot read, also where several people use it. It opens nothing by itself.
 */
export function createKnownDevices({
  connect,
  now,
  env,
}: {
  connect: Connect
  now: () => number
  env: Pick<Env, 'auth'>
}) {
  const secret = env.auth.secret
  const oldest = () => new Date(now() - VALID_DAYS * DAY_MS)
  return {
    /** The token of a request's browser, if one of ours; that it is says nothing of who has signed in there. */
    read(request: Pick<Request, 'headers'>): string | null {
      const token = cookieOf(request, cookieName(env))
      return isOurs(token, secret) ? token : null
    },
    async isKnown(token: string | null, userId: string): Promise<boolean> {
      if (token === null) return false
      const its = and(eq(knownDevices.tokenHash, deviceHash(token, userId)), gt(knownDevices.lastUsedAt, oldest()))
      const found = await (await connect()).select({ userId: knownDevices.userId }).from(knownDevices).where(its)
      return found.length > 0
    },
    /** After signing in: the browser is the person's from now on. Answers the `Set-Cookie` that carries the token. */
    async remember(token: string | null, userId: string): Promise<string> {
      const kept = token ?? newToken(secret)
      const database = await connect()
      const lastUsedAt = new Date(now())
      await database
        .insert(knownDevices)
        .values({ tokenHash: deviceHash(kept, userId), userId, lastUsedAt })
        .onConflictDoUpdate({ target: knownDevices.tokenHash, set: { lastUsedAt } })
      const newest = database
        .select({ tokenHash: knownDevices.tokenHash })
        .from(knownDevices)
        .where(eq(knownDevices.userId, userId))
        .orderBy(desc(knownDevices.lastUsedAt))
        .limit(MOST_OF_A_PERSON)
      const isOver = or(lt(knownDevices.lastUsedAt, oldest()), notInArray(knownDevices.tokenHash, newest))
      await database.delete(knownDevices).where(and(eq(knownDevices.userId, userId), isOver))
      return setCookie(env, cookieName(env), kept, { seconds: (VALID_DAYS * DAY_MS) / 1000 })
    },
  }
}

/** Under https nobody but this very host can have set it (RFC 6265bis, 4.1.3.2). */
function cookieName(env: Pick<Env, 'auth'>): string {
  return isSecure(env) ? '__Host-intag-device' : 'intag-device'
}

function newToken(secret: string): string {
  const random = randomBytes(32).toString('base64url')
  return `${random}.${signatureOf(random, secret)}`
}

/** Signed, so that a flood of invented tokens costs no look into the database. */
function isOurs(token: string, secret: string): boolean {
  const [random = '', signature = ''] = token.split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(random, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}

function signatureOf(random: string, secret: string): string {
  return createHmac('sha256', secret).update(`device ${random}`).digest('base64url')
}

/** One for each person: who reads the database cannot tell that two share a browser. */
export function deviceHash(token: string, userId: string): string {
  return createHash('sha256').update(`${token} ${userId}`).digest('hex')
}
