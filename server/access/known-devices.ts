import 'server-only'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, lt, notInArray, or } from 'drizzle-orm'
import { knownDevices } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { type AuthEnv, cookieName, cookieOf, setCookie } from './session-cookie'

export type KnownDevices = ReturnType<typeof createKnownDevices>

const DEVICE = 'intag-device'
export const VALID_DAYS = 180
const DAY_MS = 24 * 3_600_000
export const MAX_DEVICES_PER_USER = 20

type Parts = { connect: Connect; now: () => number; env: AuthEnv }

/** Other people's guesses do not lock users out where they have signed in before. */
export function createKnownDevices({ connect, now, env }: Parts) {
  const secret = env.auth.secret
  const oldest = () => new Date(now() - VALID_DAYS * DAY_MS)
  return {
    read(request: Pick<Request, 'headers'>): string | null {
      const token = cookieOf(request, cookieName(env, DEVICE))
      return isOurs(token, secret) ? token : null
    },
    async isKnown(token: string | null, userId: string): Promise<boolean> {
      if (token === null) return false
      const isDevice = and(eq(knownDevices.tokenHash, deviceHash(token, userId)), gt(knownDevices.lastUsedAt, oldest()))
      return (await (await connect()).$count(knownDevices, isDevice)) > 0
    },
    async remember(token: string | null, userId: string): Promise<string> {
      const random = randomBytes(32).toString('base64url')
      const kept = token ?? `${random}.${signatureOf(random, secret)}`
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
        .limit(MAX_DEVICES_PER_USER)
      const isOver = or(lt(knownDevices.lastUsedAt, oldest()), notInArray(knownDevices.tokenHash, newest))
      await database.delete(knownDevices).where(and(eq(knownDevices.userId, userId), isOver))
      return setCookie(env, cookieName(env, DEVICE), kept, { seconds: (VALID_DAYS * DAY_MS) / 1000 })
    },
  }
}

/** Signed, so that a flood of invented tokens never reaches the database. */
function isOurs(token: string, secret: string): boolean {
  const [random = '', signature = ''] = token.split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(random, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}

function signatureOf(random: string, secret: string): string {
  return createHmac('sha256', secret).update(`device ${random}`).digest('base64url')
}

/** A hash per user: the database does not disclose that two share a browser. */
export function deviceHash(token: string, userId: string): string {
  return createHash('sha256').update(`${token} ${userId}`).digest('hex')
}
