import 'server-only'
import { createHmac } from 'node:crypto'
import { and, asc, count, eq, gt, inArray, like, lt, lte, not, or, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { signInAttempts } from '@/server/db/schema'
import { createRecent } from '@/server/recent'

/**
 * What tries are counted by: a person's device, a person from one address, a person from anywhere, an address, one secret.
 * `once`: what is good for one try.
 */
export type AttemptKey = {
  kind: 'device' | 'account-address' | 'account' | 'address' | 'secret' | 'once'
  value: string
}
export type Throttle = ReturnType<typeof createThrottle>
/** `isNew`: nobody was refused by this lock before, as far as this process knows. */
export type Locked = { lockedUntil: number; kind: AttemptKey['kind']; isNew: boolean }

type Attempts = typeof signInAttempts.$inferSelect
type Brake = { freeTries: number; longestWaitMs: number }

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/**
 * Whoever guesses is slowed down where they are first: by their address for that person. The person's own devices are
 * counted apart and pass everything else, so that guesses of others shut nobody out there; elsewhere a person is slowed down
 * late, and slowly. A secret is counted besides (`secret-counters.ts`). A whole school may sit behind one address, so it gets
 * more tries than a person.
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
/** NIST SP 800-63B (5.2.2) allows 100 failures in a row, whatever their addresses; from then on it is one a day. */
const MOST_FAILURES = 100
const LAST_WAIT_MS = DAY_MS
/** Quiet for so long, what was counted is forgotten; of a person later, or they could be guessed at a little every day. */
export const FORGET_MS = DAY_MS
export const FORGET_ACCOUNT_MS = 30 * DAY_MS
const MOST_ROWS = 100_000
const MOST_TOLD = 10_000
const HOLDS_MS = 5_000

type ThrottleOptions = {
  connect: Connect
  now: () => number
  /** What is counted is stored under keyed hashes, so that nobody's e-mail or address is kept. */
  hashKey: Uint8Array
  mostRows?: number
}

/**
 * Slows down guessing: after some failures each further try must wait twice as long as the one before. A try counts as
 * failed from its start until it proves right, so that many at once gain nothing.
 */
export function createThrottle({ connect, now, hashKey, mostRows = MOST_ROWS }: ThrottleOptions) {
  const isNew = createNews()
  const locks = createRecent<Lock>(MOST_TOLD, ({ until }) => now() >= until)
  const hashed = (keys: readonly AttemptKey[]) => keys.map(({ kind, value }) => ({ kind, key: hashOf(kind, value) }))
  // The kind stands in front, for how long it is kept.
  const hashOf = (kind: string, value: string) =>
    `${kind}:${createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')}`
  const lockOf = (keys: readonly HashedKey[]): Locked | null => {
    const [lock] = keys.flatMap(({ kind, key }) => {
      const known = locks.get(key)
      return known === undefined ? [] : [{ kind, lockedUntil: known.lockedUntil, isNew: false }]
    })
    return lock ?? null
  }
  const clear = async (tx: Db, keys: readonly AttemptKey[]) => {
    const cleared = hashed(keys)
    await forgive(tx, cleared)
    for (const { key } of cleared) locks.drop(key)
  }
  return {
    /** A lock that is known without a look at the database: a flood that it refuses costs next to nothing. */
    knownLock: (...keys: AttemptKey[]): Locked | null => lockOf(hashed(keys)),
    /** Counts a try. While a key is locked it answers until when (ms), and the try must be refused unread. */
    async begin(...keys: AttemptKey[]): Promise<Locked | null> {
      const database = await connect()
      const at = now()
      const locked = await database.transaction((tx) => begin(tx, hashed(keys), at))
      if (locked === null) return null
      const { kind, attempts } = locked
      // Another instance may lift it meanwhile.
      locks.set(attempts.key, {
        lockedUntil: attempts.lockedUntil,
        until: Math.min(attempts.lockedUntil, at + HOLDS_MS),
      })
      return { kind, lockedUntil: attempts.lockedUntil, isNew: isNew(attempts) }
    },
    /** Within a transaction: whether this was not used before. Two at once are decided one after the other. */
    useOnce: async (tx: Db, value: string): Promise<boolean> =>
      (await begin(tx, hashed([{ kind: 'once', value }]), now())) === null,
    /** The try was right: everything about the person starts afresh, the address gets this one try back. */
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const database = await connect()
      await database.transaction((tx) => clear(tx, keys))
    },
    /** Within a transaction: what was tried counts no more, although nothing was right. */
    forgive: (tx: Db, ...keys: AttemptKey[]): Promise<void> => clear(tx, keys),
    /** Forgets what is old, once a minute. */
    tidy: async (): Promise<void> => tidy(await connect(), now(), mostRows),
  }
}

/** Moments in ms: when the lock ends, and until when it is believed without asking. */
type Lock = { lockedUntil: number; until: number }
type HashedKey = { kind: AttemptKey['kind']; key: string }

/** Whether a lock is met for the first time. */
function createNews() {
  const told = createRecent<true>(MOST_TOLD)
  return ({ key, lockedUntil }: Attempts): boolean => {
    const name = `${key} ${lockedUntil}`
    const known = told.get(name) !== undefined
    told.set(name, true)
    return !known
  }
}

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
  const rows = await tx
    .select()
    .from(signInAttempts)
    .where(inArray(signInAttempts.key, [...kinds.keys()]))
    .orderBy(asc(signInAttempts.key))
    .for('update')
  for (const { key, failures } of rows) {
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
  const wanted = inArray(
    signInAttempts.key,
    keys.map(({ key }) => key),
  )
  const rows = await tx.select().from(signInAttempts).where(wanted).orderBy(asc(signInAttempts.key)).for('update')
  return new Map(rows.map((row) => [row.key, row]))
}

function fresh({ key }: HashedKey, now: number): Attempts {
  return { key, failures: 0, lastAt: now, lockedUntil: 0 }
}

/** Everybody takes the rows in one order, so that no two wait for each other. */
function inOrder(rows: Attempts[]): Attempts[] {
  return rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function lockedUntilAfter(failures: number, kind: AttemptKey['kind'], now: number): number {
  const { freeTries, longestWaitMs } = BRAKES[kind]
  if ((kind === 'account' || kind === 'secret') && failures >= MOST_FAILURES) return now + LAST_WAIT_MS
  if (kind === 'once') return now + longestWaitMs
  const beyond = failures - freeTries
  return beyond < 0 ? 0 : now + Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

/** What is old goes; and of too many the oldest that locks nobody and says least, so that inventing keys frees none. */
async function tidy(database: Db, now: number, mostRows: number): Promise<void> {
  const { key, failures, lastAt, lockedUntil } = signInAttempts
  const isOfPerson = or(like(key, 'account:%'), like(key, 'secret:%'))
  const isKept = and(isOfPerson, gt(failures, 0), gt(lastAt, now - FORGET_ACCOUNT_MS))
  const isOver = and(lt(lastAt, now - FORGET_MS), lte(lockedUntil, now), not(isKept ?? sql`false`))
  await database.delete(signInAttempts).where(isOver)
  const [all] = await database.select({ rows: count() }).from(signInAttempts)
  const tooMany = (all?.rows ?? 0) - mostRows
  if (tooMany <= 0) return
  const first = database
    .select({ key })
    .from(signInAttempts)
    .orderBy(sql`${lockedUntil} > ${now}`, sql`least(${failures}, ${BRAKES['account-address'].freeTries})`, asc(lastAt))
    .limit(tooMany)
    .for('update', { skipLocked: true })
  await database.delete(signInAttempts).where(inArray(key, first))
}
