import 'server-only'
import { createHmac } from 'node:crypto'
import { and, asc, eq, gt, inArray, like, lt, lte, not, or, sql } from 'drizzle-orm'
import { knownDevices } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { signInAttempts } from '@/server/base/schema'
import { createLruCache } from '@/server/base/lru-cache'
import { deviceHash } from './known-devices'

type Kind = keyof typeof RULES
export type AttemptKey = { kind: Kind; value: string }
export type Throttle = ReturnType<typeof createThrottle>
/** `isNew`: this process refuses by this lock for the first time. */
export type Locked = { lockedUntil: number; retryAfterSeconds: number; kind: Kind; isNew: boolean }

type Attempts = typeof signInAttempts.$inferSelect

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/** Known devices are counted apart: guesses elsewhere never lock them out. A school may share one address. */
const RULES = {
  device: { freeAttempts: 10, maxWaitMs: HOUR_MS },
  'account-address': { freeAttempts: 5, maxWaitMs: 4 * HOUR_MS },
  account: { freeAttempts: 20, maxWaitMs: HOUR_MS },
  address: { freeAttempts: 50, maxWaitMs: 15 * MINUTE_MS },
  secret: { freeAttempts: 5, maxWaitMs: HOUR_MS },
  once: { freeAttempts: 0, maxWaitMs: DAY_MS },
} as const
const FIRST_WAIT_MS = 30_000
/** NIST SP 800-63B (5.2.2) allows 100 consecutive failures; from then on it is one attempt a day. */
const MAX_FAILURES = 100
/** A count is dropped after this long; a user's later, or a few guesses a day would be free. */
export const RETENTION_MS = DAY_MS
export const ACCOUNT_RETENTION_MS = 30 * DAY_MS
const MAX_ROWS = 100_000
const MAX_LOCKS = 10_000
/** How long a lock is trusted without the database: another instance may lift it. */
const LOCK_TRUSTED_MS = 5_000

type ThrottleOptions = {
  connect: Connect
  now: () => number
  /** Keys are stored as keyed hashes, so that no e-mail or address is stored. */
  hashKey: Uint8Array
  maxRows?: number
}

/** The wait doubles with each try. A try counts as failed until it succeeds, so that parallel tries gain nothing. */
export function createThrottle({ connect, now, hashKey, maxRows = MAX_ROWS }: ThrottleOptions) {
  const locks = createLruCache<{ lockedUntil: number; trustedUntil: number }>(
    MAX_LOCKS,
    ({ lockedUntil }) => now() >= lockedUntil,
  )
  // The kind is the prefix, because it decides how long the row is kept.
  const hashKeys = (keys: readonly AttemptKey[]) =>
    keys.map(({ kind, value }) => {
      const hash = createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')
      return `${kind}:${hash}`
    })
  const lock = (key: string, lockedUntil: number, isNew: boolean): Locked => {
    return { kind: kindOf(key), lockedUntil, retryAfterSeconds: Math.ceil((lockedUntil - now()) / 1000), isNew }
  }
  const reset = async (tx: Db, ...keys: AttemptKey[]): Promise<void> => {
    for (const { key, failures } of await selectForUpdate(tx, hashKeys(keys))) {
      const failuresLeft = kindOf(key) === 'address' ? Math.max(0, failures - 1) : 0
      await tx.update(signInAttempts).set({ failures: failuresLeft, lockedUntil: 0 }).where(eq(signInAttempts.key, key))
    }
    for (const key of hashKeys(keys)) locks.delete(key)
  }
  return {
    /** A lock known without the database: refusing a flood costs next to nothing. */
    cachedLock(...keys: AttemptKey[]): Locked | null {
      for (const key of hashKeys(keys)) {
        const cached = locks.get(key)
        if (cached && now() < cached.trustedUntil) return lock(key, cached.lockedUntil, false)
      }
      return null
    },
    /** Counts a try. While a key is locked it returns the lock, and the try must be refused unread. */
    async countTry(...keys: AttemptKey[]): Promise<Locked | null> {
      const database = await connect()
      const at = now()
      const locked = await database.transaction((tx) => countAttempt(tx, hashKeys(keys), at))
      if (locked === null) return null
      const { key, lockedUntil } = locked
      const isNew = locks.get(key)?.lockedUntil !== lockedUntil
      locks.set(key, { lockedUntil, trustedUntil: at + LOCK_TRUSTED_MS })
      return lock(key, lockedUntil, isNew)
    },
    /** Within a transaction, against replay: whether this is the first use. Concurrent uses are serialised. */
    markUsed: async (tx: Db, value: string): Promise<boolean> =>
      (await countAttempt(tx, hashKeys([{ kind: 'once', value }]), now())) === null,
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const database = await connect()
      await database.transaction((tx) => reset(tx, ...keys))
    },
    reset,
    cleanUp: async (): Promise<void> => deleteOldRows(await connect(), now(), maxRows),
  }
}

function kindOf(key: string): Kind {
  return key.slice(0, key.indexOf(':')) as Kind
}

/** Nothing is counted while a key is locked, so that waiting is always enough. */
async function countAttempt(tx: Db, keys: string[], now: number): Promise<Attempts | null> {
  const fresh = keys.map((key) => ({ key, failures: 0, lastAt: now, lockedUntil: 0 })).toSorted(byKey)
  await tx.insert(signInAttempts).values(fresh).onConflictDoNothing()
  const stored = await selectForUpdate(tx, keys)
  // A row that `cleanUp` has just deleted starts again.
  const rows = fresh.map((row) => stored.find(({ key }) => key === row.key) ?? row)
  const latest = Math.max(...rows.map(({ lockedUntil }) => lockedUntil))
  if (latest > now) return rows.find(({ lockedUntil }) => lockedUntil === latest) ?? null
  const counted = rows.map(({ key, failures }) => {
    return { key, failures: failures + 1, lastAt: now, lockedUntil: lockedUntilAfter(failures + 1, kindOf(key), now) }
  })
  await tx
    .insert(signInAttempts)
    .values(counted)
    .onConflictDoUpdate({ target: signInAttempts.key, set: EXCLUDED_VALUES })
  return null
}

const EXCLUDED_VALUES = {
  failures: sql`excluded.failures`,
  lastAt: sql`excluded.last_at`,
  lockedUntil: sql`excluded.locked_until`,
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)

/** Locked until the transaction ends, in one order for everyone, against deadlocks. */
function selectForUpdate(tx: Db, keys: string[]): Promise<Attempts[]> {
  const rows = tx.select().from(signInAttempts).where(inArray(signInAttempts.key, keys))
  return rows.orderBy(asc(signInAttempts.key)).for('update')
}

function lockedUntilAfter(failures: number, kind: Kind, now: number): number {
  const { freeAttempts, maxWaitMs } = RULES[kind]
  if ((kind === 'account' || kind === 'secret') && failures >= MAX_FAILURES) return now + DAY_MS
  if (kind === 'once') return now + maxWaitMs
  const beyond = failures - freeAttempts
  return beyond < 0 ? 0 : now + Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

/** Deletes old rows; if there are too many, first the oldest that lock nobody, so that invented keys lift no lock. */
async function deleteOldRows(database: Db, now: number, rowLimit: number): Promise<void> {
  const { key, failures, lastAt, lockedUntil } = signInAttempts
  const isOfUser = or(like(key, 'account:%'), like(key, 'secret:%'))
  const isKept = and(isOfUser, gt(failures, 0), gt(lastAt, now - ACCOUNT_RETENTION_MS))
  const isOutdated = and(lt(lastAt, now - RETENTION_MS), lte(lockedUntil, now), not(isKept ?? sql`false`))
  await database.delete(signInAttempts).where(isOutdated)
  const tooMany = (await database.$count(signInAttempts)) - rowLimit
  if (tooMany <= 0) return
  const leastNeeded = database
    .select({ key })
    .from(signInAttempts)
    .orderBy(
      sql`${lockedUntil} > ${now}`,
      sql`least(${failures}, ${RULES['account-address'].freeAttempts})`,
      asc(lastAt),
    )
    .limit(tooMany)
    .for('update', { skipLocked: true })
  await database.delete(signInAttempts).where(inArray(key, leastNeeded))
}

export type Secret = 'password' | 'totp' | 'recovery-code'
export const FACTOR_SECRETS = ['totp', 'recovery-code'] as const satisfies Secret[]

/** One counter per secret wherever it is asked for, and one per known browser. Only that secret resets it. */
export function secretKey(userId: string, secret: Secret, device: string | null = null): AttemptKey {
  return secretKeyAt(userId, secret, device === null ? [] : [deviceHash(device, userId)])
}

function secretKeyAt(userId: string, secret: Secret, device: readonly string[]): AttemptKey {
  return { kind: 'secret', value: [secret, userId, ...device].join(' ') }
}

/** Within a transaction, when these secrets are removed or replaced: resets their counts, in known browsers, too. */
export async function resetSecrets(
  throttle: Pick<Throttle, 'reset'>,
  tx: Db,
  userId: string,
  secrets: readonly Secret[],
): Promise<void> {
  const hash = knownDevices.tokenHash
  const stored = await tx.select({ hash }).from(knownDevices).where(eq(knownDevices.userId, userId))
  const devices = [[], ...stored.map((device) => [device.hash])]
  await throttle.reset(tx, ...secrets.flatMap((secret) => devices.map((device) => secretKeyAt(userId, secret, device))))
}
