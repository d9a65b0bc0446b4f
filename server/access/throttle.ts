import 'server-only'
import { createHmac } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/base/database'
import { TooManyTriesError } from '@/server/base/errors'
import { signInAttempts } from '@/server/base/schema'
import { callerNetwork } from './address'

export type AttemptKey = { kind: keyof typeof RULES; value: string }

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
/** Waits stay short, because anybody can make somebody else wait. */
const RULES = {
  'account-network': { freeTries: 5, maxWaitMs: 15 * MINUTE_MS },
  account: { freeTries: 20, maxWaitMs: 60 * MINUTE_MS },
  /** What only a signed-in user, or one who knows the password, is asked for. */
  secret: { freeTries: 5, maxWaitMs: 60 * MINUTE_MS },
}
const FIRST_WAIT_MS = 30_000
export const RETENTION_MS = 30 * DAY_MS
const MAX_ROWS = 100_000

type ThrottleOptions = {
  connect: Connect
  now: () => number
  /** Keys are stored as keyed hashes, so that no e-mail or address is stored. */
  hashKey: Uint8Array
  maxRows?: number
}

/** Counts tries in the database, for all instances and over restarts. Beyond the free ones each wait is twice the last. */
export function createThrottle({ connect, now, hashKey, maxRows = MAX_ROWS }: ThrottleOptions) {
  const hashOf = ({ kind, value }: { kind: string; value: string }) =>
    `${kind}:${createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')}`
  const count = async (keys: AttemptKey[], isIt: SQL) =>
    (await connect()).$count(signInAttempts, and(inArray(signInAttempts.key, keys.map(hashOf)), isIt))
  return {
    /**
     * Counts a try as failed until it succeeds, so that parallel tries gain nothing. `TooManyTriesError` while one of
     * the keys is locked: the try is then counted for none of them, so that waiting is always enough.
     */
    async countTry(...keys: AttemptKey[]): Promise<void> {
      const tries = keys.map((key) => ({ key: hashOf(key), rule: RULES[key.kind] })).toSorted(byKey)
      const database = await connect()
      const lockedMs = await database.transaction((tx) => countTry(tx, tries, now()))
      if (lockedMs > 0) throw new TooManyTriesError(Math.ceil(lockedMs / 1000))
    },
    isLocked: async (...keys: AttemptKey[]): Promise<boolean> =>
      (await count(keys, gt(signInAttempts.lockedUntil, now()))) > 0,
    hasSucceeded: async (key: AttemptKey): Promise<boolean> =>
      (await count([key], gt(signInAttempts.succeededAt, now() - RETENTION_MS))) > 0,
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const set = { failures: 0, lastAt: now(), lockedUntil: 0, succeededAt: now() }
      const rows = keys.map((key) => ({ key: hashOf(key), ...set })).toSorted(byKey)
      const insert = (await connect()).insert(signInAttempts).values(rows)
      await insert.onConflictDoUpdate({ target: signInAttempts.key, set })
    },
    async reset(tx: Db, ...keys: AttemptKey[]): Promise<void> {
      await tx.delete(signInAttempts).where(inArray(signInAttempts.key, keys.map(hashOf)))
    },
    cleanUp: async (): Promise<void> => deleteOldRows(await connect(), now(), maxRows),
  }
}

type Try = { key: string; rule: (typeof RULES)[AttemptKey['kind']] }

/** Answers how long the keys are still locked. Everybody locks rows in one order, against deadlocks. */
async function countTry(tx: Db, tries: Try[], now: number): Promise<number> {
  const keys = tries.map(({ key }) => key)
  await tx
    .insert(signInAttempts)
    .values(keys.map((key) => ({ key, failures: 0, lastAt: now, lockedUntil: 0 })))
    .onConflictDoNothing()
  const rows = tx.select().from(signInAttempts).where(inArray(signInAttempts.key, keys))
  const stored = await rows.orderBy(sql`${signInAttempts.key} collate "C"`).for('update')
  const lockedMs = Math.max(0, ...stored.map(({ lockedUntil }) => lockedUntil - now))
  if (lockedMs > 0) return lockedMs
  for (const { key, rule } of tries) {
    const failures = 1 + (stored.find((row) => row.key === key)?.failures ?? 0)
    const beyond = failures - rule.freeTries
    const lockedUntil = beyond < 0 ? 0 : now + Math.min(rule.maxWaitMs, FIRST_WAIT_MS * 2 ** beyond)
    await tx.update(signInAttempts).set({ failures, lastAt: now, lockedUntil }).where(eq(signInAttempts.key, key))
  }
  return 0
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)

/** If there are too many rows, those that lock nobody and say least go first, so that invented keys lift no lock. */
async function deleteOldRows(database: Db, now: number, maxRows: number): Promise<void> {
  const { key, failures, lastAt, lockedUntil, succeededAt } = signInAttempts
  await database.delete(signInAttempts).where(and(lt(lastAt, now - RETENTION_MS), lte(lockedUntil, now)))
  const least = database
    .select({ key })
    .from(signInAttempts)
    .orderBy(desc(gt(lockedUntil, now)), desc(isNotNull(succeededAt)), desc(failures), desc(lastAt))
    .offset(maxRows)
    .for('update', { skipLocked: true })
  await database.delete(signInAttempts).where(inArray(key, least))
}

/** Counted together for a try to sign in. */
export function accountKeys(email: string, address: string): { here: AttemptKey; account: AttemptKey } {
  return {
    here: { kind: 'account-network', value: `${email} ${callerNetwork(address)}` },
    account: { kind: 'account', value: email },
  }
}

type Secret = 'password' | 'factor'

/** One counter per secret wherever it is asked for; only that secret resets it. */
export function secretKey(userId: string, secret: Secret): AttemptKey {
  return { kind: 'secret', value: `${secret} ${userId}` }
}
