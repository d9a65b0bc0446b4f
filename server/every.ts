import 'server-only'
import { sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import type { Logger } from '@/server/logger'

/** Runs it after so many milliseconds; answers what cancels it. */
export type Schedule = (delayMs: number, run: () => void) => () => void
type Named = {
  /** For the log. */
  what: string
  /** The first round; as long as between two if it is not said. */
  afterMs?: number
}

/**
 * All work that comes round: each round begins so long after the one before has ended, and one that fails is logged and tried
 * again at the next. `stop` begins no further round. Work that one instance is to do at a time says so by `alone`.
 */
export function createEvery({ schedule, logger }: { schedule: Schedule; logger: Pick<Logger, 'warn'> }) {
  const waiting = new Set<() => void>()
  let isStopped = false
  const every = (intervalMs: number, job: () => unknown, { what, afterMs = intervalMs }: Named): void => {
    const round = async () => {
      try {
        await job()
      } catch (err) {
        logger.warn({ err, what }, 'work that comes round has failed; the next round tries again')
      }
      runAfter(intervalMs)
    }
    const runAfter = (delayMs: number) => {
      if (isStopped) return
      const cancel = schedule(delayMs, () => {
        waiting.delete(cancel)
        void round()
      })
      waiting.add(cancel)
    }
    runAfter(afterMs)
  }
  const stop = () => {
    isStopped = true
    for (const cancel of waiting) cancel()
  }
  return Object.assign(every, { stop })
}

/** Runs it in a transaction that one instance at a time has under this name; null, and nothing is done, while another is at it. */
export async function alone<T>(connect: Connect, name: string, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [lock] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext(${`intag.${name}`}))` })
      .from(sql`(values (1)) as once`)
    return lock?.isMine === true ? run(tx) : null
  })
}
