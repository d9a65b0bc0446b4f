import 'server-only'
import { createHash } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { signInAttempts } from '@/server/db/schema'

export type AttemptKey = { kind: 'account' | 'address'; value: string }
export type Throttle = ReturnType<typeof createThrottle>

type Attempts = typeof signInAttempts.$inferSelect

/** A whole school may sit behind one address, so it gets more tries than an account. */
const FREE_TRIES = { account: 5, address: 50 }
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 15 * 60_000
const FORGET_MS = 24 * 3_600_000

/**
 * Slows down guessing: after five failures each further try must wait twice as long as the one before, up to 15
 * minutes. A try counts as failed from its start until it proves right, so that many at once gain nothing.
 */
export function createThrottle({ connect, now }: { connect: Connect; now: () => number }) {
  return {
    /** Counts a try. While a key is locked it answers until when (ms), and the try must be refused unread. */
    async begin(...keys: AttemptKey[]): Promise<{ lockedUntil: number } | null> {
      const database = await connect()
      const at = now()
      await database.delete(signInAttempts).where(lt(signInAttempts.lastAt, at - FORGET_MS))
      return database.transaction((tx) => begin(tx, keys, at))
    },
    /** The try was right: the account starts afresh, the address gets this one try back. */
    async succeeded(...keys: AttemptKey[]): Promise<void> {
      const database = await connect()
      await database.transaction((tx) => forgive(tx, keys))
    },
  }
}

/** Nothing is counted while any key is locked, so that waiting is always enough. */
async function begin(tx: Db, keys: AttemptKey[], now: number): Promise<{ lockedUntil: number } | null> {
  const found = []
  for (const key of keys) found.push({ key, attempts: await lockAttempts(tx, key, now) })
  const lockedUntil = Math.max(...found.map(({ attempts }) => attempts.lockedUntil))
  if (lockedUntil > now) return { lockedUntil }
  for (const { key, attempts } of found) {
    const failures = attempts.failures + 1
    const next = { failures, lastAt: now, lockedUntil: lockedUntilAfter(failures, key.kind, now) }
    await tx.update(signInAttempts).set(next).where(eq(signInAttempts.key, attempts.key))
  }
  return null
}

async function forgive(tx: Db, keys: AttemptKey[]): Promise<void> {
  for (const key of keys) {
    const hashed = hashOf(key)
    const [row] = await tx.select().from(signInAttempts).where(eq(signInAttempts.key, hashed)).for('update')
    if (!row) continue
    const failures = key.kind === 'account' ? 0 : Math.max(0, row.failures - 1)
    await tx.update(signInAttempts).set({ failures, lockedUntil: 0 }).where(eq(signInAttempts.key, hashed))
  }
}

/** Locks the row, made if need be, until the transaction ends: two tries at once are counted one after the other. */
async function lockAttempts(tx: Db, key: AttemptKey, now: number): Promise<Attempts> {
  const fresh = { key: hashOf(key), failures: 0, lastAt: now, lockedUntil: 0 }
  await tx.insert(signInAttempts).values(fresh).onConflictDoNothing()
  const [row] = await tx.select().from(signInAttempts).where(eq(signInAttempts.key, fresh.key)).for('update')
  return row ?? fresh
}

function lockedUntilAfter(failures: number, kind: AttemptKey['kind'], now: number): number {
  const beyond = failures - FREE_TRIES[kind]
  return beyond < 0 ? 0 : now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

function hashOf({ kind, value }: AttemptKey): string {
  return createHash('sha256').update(`${kind}:${value.trim().toLowerCase()}`).digest('hex')
}
