import 'server-only'
import { createHmac } from 'node:crypto'
import { and, asc, eq, gt, inArray, like, lt, lte, not, or, sql } from 'drizzle-orm'
import { knownDevices } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { signInAttempts } from '@/server/db/schema'
import { createLruCache } from '@/server/lru-cache'
import { deviceHash } from './known-devices'

type Kind = keyof typeof BRAKES
export type AttemptKey = { kind: Kind; value: string }
export type Throttle = ReturnType<typeof createThrottle>
/** `isNew`: the first refusal by this lock in this process. */
export type Locked = { lockedUntil: number; retryAfterSeconds: number; kind: Kind; isNew: boolean }

type Attempts = typeof signInAttempts.$inferSelect

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/**
 * One user from one address is slowed down first. Known devices are counted apart, so that guesses elsewhere never
 * lock them out. A whole school may share one address.
 */
const BRAKES = {
  device: { freeTries: 10, longestWaitMs: HOUR_MS },
  'account-address': { freeTries: 5, longestWaitMs: 4 * HOUR_MS },
  account: { freeTries: 20, longestWaitMs: HOUR_MS },
  address: { freeTries: 50, longestWaitMs: 15 * MINUTE_MS },
  secret: { freeTries: 5, longestWaitMs: HOUR_MS },
  once: { freeTries: 0, longestWaitMs: DAY_MS },
} as const
const FIRST_WAIT_MS = 30_000
/** NIST SP 800-63B (5.2.2) allows 100 consecutive failures; from then on it is one attempt a day. */
const MOST_FAILURES = 100
/** A count is dropped after this long; a user's later, or a few guesses a day would be free. */
export const FORGET_MS = DAY_MS
export const FORGET_ACCOUNT_MS = 30 * DAY_MS
const MOST_ROWS = 100_000
const MOST_LOCKS = 10_000
/** How long a lock is trusted without the database: another instance may lift it. */
const BELIEVED_MS = 5_000

type ThrottleOptions = {
  connect: Connect
  now: () => number
  /** Keys are stored as keyed hashes, so that no e-mail or address is stored. */
  hashKey: Uint8Array
  mostRows?: number
}

/** The wait doubles with each try. A try counts as failed until it succeeds, so that parallel tries gain nothing. */
export function createThrottle({ connect, now, hashKey, mostRows = MOST_ROWS }: ThrottleOptions) {
  const locks = createLruCache<{ lockedUntil: number; believedUntil: number }>(
    MOST_LOCKS,
    ({ lockedUntil }) => now() >= lockedUntil,
  )
  // The kind is the prefix, because it decides how long the row is kept.
  const hashed = (keys: readonly AttemptKey[]) =>
    keys.map(({ kind, value }) => {
      const hash = createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')
      return `${kind}:${hash}`
    })
  const lock = (key: string, lockedUntil: number, isNew: boolean): Locked => {
    return { kind: kindOf(key), lockedUntil, retryAfterSeconds: Math.ceil((lockedUntil - now()) / 1000), isNew }
  }
  const forgive = async (tx: Db, ...keys: AttemptKey[]): Promise<void> => {
    for (const { key, failures } of await lockedRows(tx, hashed(keys))) {
      const left = kindOf(key) === 'address' ? Math.max(0, failures - 1) : 0
      await tx.update(signInAttempts).set({ failures: left, lockedUntil: 0 }).where(eq(signInAttempts.key, key))
    }
    for (const key of hashed(keys)) locks.delete(key)
  }
  return {
    /** A lock known without the database: refusing a flood costs next to nothing. */
    knownLock(...keys: AttemptKey[]): Locked | null {
      for (const key of hashed(keys)) {
        const known = locks.get(key)
        if (known && now() < known.believedUntil) return lock(key, known.lockedUntil, false)
      }
      return null
    },
    /** Counts a try. While a key is locked it returns the lock, and the try must be refused unread. */
    async begin(...keys: AttemptKey[]): Promise<Locked | null> {
      const database = await connect()
      const at = now()
      const locked = await database.transaction((tx) => begin(tx, hashed(keys), at))
      if (locked === null) return null
      const { key, lockedUntil } = locked
      const isNew = locks.get(key)?.lockedUntil !== lockedUntil
      locks.set(key, { lockedUntil, believedUntil: at + BELIEVED_MS })
      return lock(key, lockedUntil, isNew)
    },
    /** Within a transaction: whether this is the first use. Concurrent uses are serialised. */
    useOnce: async (tx: Db, value: string): Promise<boolean> =>
      (await begin(tx, hashed([{ kind: 'once', value }]), now())) === null,
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const database = await connect()
      await database.transaction((tx) => forgive(tx, ...keys))
    },
    forgive,
    tidy: async (): Promise<void> => tidy(await connect(), now(), mostRows),
  }
}

function kindOf(key: string): Kind {
  return key.slice(0, key.indexOf(':')) as Kind
}

/** Nothing is counted while a key is locked, so that waiting is always enough. */
async function begin(tx: Db, keys: string[], now: number): Promise<Attempts | null> {
  const fresh = keys.map((key) => ({ key, failures: 0, lastAt: now, lockedUntil: 0 })).toSorted(byKey)
  await tx.insert(signInAttempts).values(fresh).onConflictDoNothing()
  const known = await lockedRows(tx, keys)
  // A row that `tidy` has just deleted starts again.
  const rows = fresh.map((one) => known.find(({ key }) => key === one.key) ?? one)
  const last = Math.max(...rows.map(({ lockedUntil }) => lockedUntil))
  if (last > now) return rows.find(({ lockedUntil }) => lockedUntil === last) ?? null
  const counted = rows.map(({ key, failures }) => {
    return { key, failures: failures + 1, lastAt: now, lockedUntil: lockedUntilAfter(failures + 1, kindOf(key), now) }
  })
  await tx.insert(signInAttempts).values(counted).onConflictDoUpdate({ target: signInAttempts.key, set: AS_GIVEN })
  return null
}

const AS_GIVEN = {
  failures: sql`excluded.failures`,
  lastAt: sql`excluded.last_at`,
  lockedUntil: sql`excluded.locked_until`,
}

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)

/** Locked until the transaction ends, in one order for everyone, against deadlocks. */
function lockedRows(tx: Db, keys: string[]): Promise<Attempts[]> {
  const rows = tx.select().from(signInAttempts).where(inArray(signInAttempts.key, keys))
  return rows.orderBy(asc(signInAttempts.key)).for('update')
}

function lockedUntilAfter(failures: number, kind: Kind, now: number): number {
  const { freeTries, longestWaitMs } = BRAKES[kind]
  if ((kind === 'account' || kind === 'secret') && failures >= MOST_FAILURES) return now + DAY_MS
  if (kind === 'once') return now + longestWaitMs
  const beyond = failures - freeTries
  return beyond < 0 ? 0 : now + Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

/** Deletes old rows; if there are too many, first the oldest that lock nobody, so that invented keys lift no lock. */
async function tidy(database: Db, now: number, mostRows: number): Promise<void> {
  const { key, failures, lastAt, lockedUntil } = signInAttempts
  const isOfPerson = or(like(key, 'account:%'), like(key, 'secret:%'))
  const isKept = and(isOfPerson, gt(failures, 0), gt(lastAt, now - FORGET_ACCOUNT_MS))
  const isOver = and(lt(lastAt, now - FORGET_MS), lte(lockedUntil, now), not(isKept ?? sql`false`))
  await database.delete(signInAttempts).where(isOver)
  const tooMany = (await database.$count(signInAttempts)) - mostRows
  if (tooMany <= 0) return
  const first = database
    .select({ key })
    .from(signInAttempts)
    .orderBy(sql`${lockedUntil} > ${now}`, sql`least(${failures}, ${BRAKES['account-address'].freeTries})`, asc(lastAt))
    .limit(tooMany)
    .for('update', { skipLocked: true })
  await database.delete(signInAttempts).where(inArray(key, first))
}

export type Secret = 'password' | 'totp' | 'passkey' | 'recovery-code'
export const FACTOR_SECRETS = ['totp', 'passkey', 'recovery-code'] as const satisfies Secret[]

/** One counter per secret wherever it is asked for, and one per known browser. Only that secret resets it. */
export function secretKey(userId: string, secret: Secret, device: string | null = null): AttemptKey {
  return secretKeyAt(userId, secret, device === null ? [] : [deviceHash(device, userId)])
}

function secretKeyAt(userId: string, secret: Secret, device: readonly string[]): AttemptKey {
  return { kind: 'secret', value: [secret, userId, ...device].join(' ') }
}

/** Within a transaction, when these secrets are removed or replaced: resets their counts, in known browsers, too. */
export async function forgiveSecrets(
  throttle: Pick<Throttle, 'forgive'>,
  tx: Db,
  userId: string,
  secrets: readonly Secret[],
): Promise<void> {
  const device = knownDevices.tokenHash
  const known = await tx.select({ device }).from(knownDevices).where(eq(knownDevices.userId, userId))
  const places = [[], ...known.map((row) => [row.device])]
  await throttle.forgive(tx, ...secrets.flatMap((secret) => places.map((at) => secretKeyAt(userId, secret, at))))
}
