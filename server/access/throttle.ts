import { createHmac } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { DAY_MS, MINUTE_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { TooManyTriesError } from '@/server/base/errors'
import { signInAttempts } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'
import { toCallerNetwork } from './ip-address'

export type AttemptKey = { kind: keyof typeof RULES; value: string }

const FIRST_WAIT_MS = 30_000
export const ATTEMPT_RETENTION_MS = 30 * DAY_MS
const FAILURE_RETENTION_MS = DAY_MS

/** After the free tries each wait doubles, but never for hours, because anybody can make another user wait. */
const RULES = {
  'account-network': { freeTries: 5, maxWaitMs: 15 * MINUTE_MS },
  account: { freeTries: 20, maxWaitMs: 60 * MINUTE_MS },
  /** A secret that is asked for only after sign-in or after the correct password. */
  secret: { freeTries: 5, maxWaitMs: 60 * MINUTE_MS },
}

/** Counts tries in the database, under keyed hashes, without e-mail or address. */
export function createThrottle({ connect, now }: BaseServices, hashKey: Uint8Array) {
  const { key, lastTryAtMs, lockedUntilMs, succeededAtMs } = signInAttempts
  const toHash = ({ kind, value }: AttemptKey) =>
    `${kind}:${createHmac('sha256', hashKey).update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')}`
  const countRows = async (keys: AttemptKey[], condition: SQL) =>
    (await connect()).$count(signInAttempts, and(inArray(key, keys.map(toHash)), condition))
  return {
    /** Counts a try as failed until `recordSuccess`, so that parallel tries gain nothing. Throws if a key is locked. */
    async countTry(...keys: AttemptKey[]) {
      const ruleByHash = new Map(keys.map((attemptKey) => [toHash(attemptKey), RULES[attemptKey.kind]]))
      const hashes = [...ruleByHash.keys()].toSorted()
      const db = await connect()
      await db.transaction(async (tx) => {
        const nowMs = now()
        const newRows = hashes.map((hash) => ({ key: hash, failureCount: 0, lastTryAtMs: nowMs, lockedUntilMs: 0 }))
        await tx.insert(signInAttempts).values(newRows).onConflictDoNothing()
        // All transactions lock rows in the same order, which prevents deadlocks.
        const rows = tx.select().from(signInAttempts).where(inArray(key, hashes))
        const storedRows = await rows.orderBy(sql`${key} collate "C"`).for('update')
        const waitMs = Math.max(...storedRows.map((row) => row.lockedUntilMs - nowMs))
        if (waitMs > 0) throw new TooManyTriesError(Math.ceil(waitMs / 1000))
        for (const [hash, { freeTries, maxWaitMs }] of ruleByHash) {
          const tryCount = 1 + (storedRows.find((row) => row.key === hash)?.failureCount ?? 0)
          const excessCount = tryCount - freeTries
          const lockEndMs = excessCount < 0 ? 0 : nowMs + Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** excessCount)
          const set = { failureCount: tryCount, lastTryAtMs: nowMs, lockedUntilMs: lockEndMs }
          await tx.update(signInAttempts).set(set).where(eq(key, hash))
        }
      })
    },
    isLocked: async (...keys: AttemptKey[]) => (await countRows(keys, gt(lockedUntilMs, now()))) > 0,
    hasSucceeded: async (attemptKey: AttemptKey) =>
      (await countRows([attemptKey], gt(succeededAtMs, now() - ATTEMPT_RETENTION_MS))) > 0,
    async recordSuccess(...keys: AttemptKey[]) {
      const set = { failureCount: 0, lastTryAtMs: now(), lockedUntilMs: 0, succeededAtMs: now() }
      const hashes = keys.map(toHash).toSorted()
      const rows = hashes.map((hash) => ({ key: hash, ...set }))
      await (await connect()).insert(signInAttempts).values(rows).onConflictDoUpdate({ target: key, set })
    },
    async reset(tx: Db, ...keys: AttemptKey[]) {
      await tx.delete(signInAttempts).where(inArray(key, keys.map(toHash)))
    },
    /** Deletes old rows; those without a success (of invented e-mails) after a day, when every wait is over. */
    async cleanUp() {
      const db = await connect()
      const oldCondition = lt(lastTryAtMs, now() - ATTEMPT_RETENTION_MS)
      const oldFailureCondition = and(isNull(succeededAtMs), lt(lastTryAtMs, now() - FAILURE_RETENTION_MS))
      await db.delete(signInAttempts).where(or(oldCondition, oldFailureCondition))
    },
  }
}

export function toAccountAttemptKeys(email: string, address: string) {
  return {
    accountNetwork: { kind: 'account-network', value: `${email} ${toCallerNetwork(address)}` },
    account: { kind: 'account', value: email },
  } as const
}

/** Returns the key under which all places that ask for the secret count tries together. */
export function toSecretAttemptKey(userId: string, secret: 'password' | 'factor'): AttemptKey {
  return { kind: 'secret', value: `${secret} ${userId}` }
}
