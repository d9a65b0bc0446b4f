import 'server-only'
import { createHmac } from 'node:crypto'
import { and, asc, eq, gt, inArray, like, lt, lte, not, or, sql } from 'drizzle-orm'
import { knownDevices } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { signInAttempts } from '@/server/db/schema'
import { createLruCache } from '@/server/lru-cache'
import { deviceHash } from './known-devices'

export type AttemptKey = {
  kind: 'device' | 'account-address' | 'account' | 'address' | 'secret' | 'once'
  value: string
}
export type Throttle = ReturnType<typeof createThrottle>
/** `isNew`: this process has refused nobody by this lock before. */
export type Locked = { lockedUntil: number; retryAfterSeconds: number; kind: AttemptKey['kind']; isNew: boolean }

type Attempts = typeof signInAttempts.$inferSelect
type Brake = { freeTries: number; longestWaitMs: number }

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/**
 * Guessing is slowed down first for one person from one address. Known devices are counted apart, so that other people's
 * guesses lock nobody out there; elsewhere a person is slowed down late. A whole school may share one address.
 */
const BRAKES: Record<AttemptKey['kind'], Brake> = {
  device: { freeTries: 10, longestWaitMs: HOUR_MS },
  'account-address': { freeTries: 5, longestWaitMs: 4 * HOUR_MS },
  account: { freeTries: 20, longestWaitMs: HOUR_MS },
  address: { freeTries: 50, longestWaitMs: 15 * MINUTE_MS },
  secret: { freeTries: 5, longestWaitMs: HOUR_MS },
  once: { freeTries: 0, longestWaitMs: DAY_MS },
}
const FIRST_WAIT_MS = 30_000
/** NIST SP 800-63B (5.2.2) allows 100 failures in a row from anywhere; from then on it is one a day. */
const MOST_FAILURES = 100
/** Quiet for so long, a count is forgotten; a person's later, or they could be guessed at a little every day. */
export const FORGET_MS = DAY_MS
export const FORGET_ACCOUNT_MS = 30 * DAY_MS
const MOST_ROWS = 100_000
const MOST_LOCKS = 10_000
/** How long a lock holds without asking the database: another instance may lift it. */
const BELIEVED_MS = 5_000

type ThrottleOptions = {
  connect: Connect
  now: () => number
  /** Keys are stored as keyed hashes, so that no e-mail or address is kept. */
  hashKey: Uint8Array
  mostRows?: number
}

/** Each further try waits twice as long. A try counts as failed until it is right, so that many at once gain nothing. */
export function createThrottle({ connect, now, hashKey, mostRows = MOST_ROWS }: ThrottleOptions) {
  const locks = createLruCache<Lock>(MOST_LOCKS, ({ lockedUntil }) => now() >= lockedUntil)
  // The kind stands in front, because it decides how long the row is kept.
  const hashed = (keys: readonly AttemptKey[]): HashedKey[] =>
    keys.map(({ kind, value }) => {
      const hash = createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')
      return { kind, key: `${kind}:${hash}` }
    })
  const lock = (kind: AttemptKey['kind'], lockedUntil: number, isNew: boolean): Locked => ({
    kind,
    lockedUntil,
    retryAfterSeconds: Math.ceil((lockedUntil - now()) / 1000),
    isNew,
  })
  const clear = async (tx: Db, keys: readonly AttemptKey[]) => {
    const cleared = hashed(keys)
    await forgive(tx, cleared)
    for (const { key } of cleared) locks.delete(key)
  }
  return {
    /** A lock that is known without asking the database: a flood that it refuses costs next to nothing. */
    knownLock(...keys: AttemptKey[]): Locked | null {
      for (const { kind, key } of hashed(keys)) {
        const known = locks.get(key)
        if (known && now() < known.believedUntil) return lock(kind, known.lockedUntil, false)
      }
      return null
    },
    /** Counts a try. While a key is locked it answers the lock, and the try must be refused unread. */
    async begin(...keys: AttemptKey[]): Promise<Locked | null> {
      const database = await connect()
      const at = now()
      const locked = await database.transaction((tx) => begin(tx, hashed(keys), at))
      if (locked === null) return null
      const { key, lockedUntil } = locked.attempts
      const isNew = locks.get(key)?.lockedUntil !== lockedUntil
      locks.set(key, { lockedUntil, believedUntil: at + BELIEVED_MS })
      return lock(locked.kind, lockedUntil, isNew)
    },
    /** Within a transaction: whether this was not used before. Two at once are decided one after the other. */
    useOnce: async (tx: Db, value: string): Promise<boolean> =>
      (await begin(tx, hashed([{ kind: 'once', value }]), now())) === null,
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const database = await connect()
      await database.transaction((tx) => clear(tx, keys))
    },
    forgive: (tx: Db, ...keys: AttemptKey[]): Promise<void> => clear(tx, keys),
    tidy: async (): Promise<void> => tidy(await connect(), now(), mostRows),
  }
}

type Lock = { lockedUntil: number; believedUntil: number }
type HashedKey = { kind: AttemptKey['kind']; key: string }

/** Nothing is counted while any key is locked, so that waiting is always enough. */
async function begin(tx: Db, keys: HashedKey[], now: number) {
  const rows = await lockAttempts(tx, keys, now)
  const found = keys.map((key) => ({ kind: key.kind, attempts: rows.get(key.key) ?? fresh(key, now) }))
  const [last] = found.toSorted((one, other) => other.attempts.lockedUntil - one.attempts.lockedUntil)
  if (last && last.attempts.lockedUntil > now) return last
  const counted = found.map(({ kind, attempts }) => {
    const failures = attempts.failures + 1
    return { key: attempts.key, failures, lastAt: now, lockedUntil: lockedUntilAfter(failures, kind, now) }
  })
  await tx
    .insert(signInAttempts)
    .values(inOrder(counted))
    .onConflictDoUpdate({ target: signInAttempts.key, set: AS_GIVEN })
  return null
}

const AS_GIVEN = {
  failures: sql`excluded.failures`,
  lastAt: sql`excluded.last_at`,
  lockedUntil: sql`excluded.locked_until`,
}

async function forgive(tx: Db, keys: HashedKey[]): Promise<void> {
  const kinds = new Map(keys.map(({ kind, key }) => [key, kind]))
  for (const { key, failures } of await lockedRows(tx, [...kinds.keys()])) {
    const left = kinds.get(key) === 'address' ? Math.max(0, failures - 1) : 0
    await tx.update(signInAttempts).set({ failures: left, lockedUntil: 0 }).where(eq(signInAttempts.key, key))
  }
}

/** Locks the rows, made if need be, until the transaction ends: two tries at once are counted one after the other. */
async function lockAttempts(tx: Db, keys: HashedKey[], now: number): Promise<Map<string, Attempts>> {
  await tx
    .insert(signInAttempts)
    .values(inOrder(keys.map((key) => fresh(key, now))))
    .onConflictDoNothing()
  const rows = await lockedRows(
    tx,
    keys.map(({ key }) => key),
  )
  return new Map(rows.map((row) => [row.key, row]))
}

/** Everyone locks the rows in one order, so that no two wait for each other. */
function lockedRows(tx: Db, keys: string[]): Promise<Attempts[]> {
  return tx
    .select()
    .from(signInAttempts)
    .where(inArray(signInAttempts.key, keys))
    .orderBy(asc(signInAttempts.key))
    .for('update')
}

function inOrder(rows: Attempts[]): Attempts[] {
  return rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function fresh({ key }: HashedKey, now: number): Attempts {
  return { key, failures: 0, lastAt: now, lockedUntil: 0 }
}

function lockedUntilAfter(failures: number, kind: AttemptKey['kind'], now: number): number {
  const { freeTries, longestWaitMs } = BRAKES[kind]
  if ((kind === 'account' || kind === 'secret') && failures >= MOST_FAILURES) return now + DAY_MS
  if (kind === 'once') return now + longestWaitMs
  const beyond = failures - freeTries
  return beyond < 0 ? 0 : now + Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

/** Old rows go; of too many the oldest that lock nobody and count least, so that inventing keys frees none. */
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

/** One counter wherever a secret is asked for, and one for sign-in in a known browser. No other secret clears it. */
export function secretKey(userId: string, secret: Secret, device: string | null = null): AttemptKey {
  return secretKeyAt(userId, secret, device === null ? [] : [deviceHash(device, userId)])
}

function secretKeyAt(userId: string, secret: Secret, device: readonly string[]): AttemptKey {
  return { kind: 'secret', value: [secret, userId, ...device].join(' ') }
}

/** Within a transaction, when these secrets are gone or new: their counts go, in known browsers as well. */
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
