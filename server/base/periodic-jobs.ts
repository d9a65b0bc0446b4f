import 'server-only'
import { sql } from 'drizzle-orm'
import type { Connect, Db } from './database'
import type { Logger } from './logger'

export type Schedule = (delayMs: number, run: () => void) => () => void

/** The next round begins this long after the last ended; one that fails is logged and tried again. */
export function createPeriodicJobs({ schedule, logger }: { schedule: Schedule; logger: Pick<Logger, 'warn'> }) {
  const cancels = new Set<() => void>()
  let isStopped = false
  const every = (intervalMs: number, job: () => unknown, options: { name: string; firstDelayMs?: number }): void => {
    const { name: what, firstDelayMs: afterMs = intervalMs } = options
    const runAfter = (delayMs: number) => {
      if (isStopped) return
      const cancel = schedule(delayMs, async () => {
        cancels.delete(cancel)
        try {
          await job()
        } catch (err) {
          logger.warn({ err, what }, 'work that comes round has failed; the next round tries again')
        }
        runAfter(intervalMs)
      })
      cancels.add(cancel)
    }
    runAfter(afterMs)
  }
  const stop = () => {
    isStopped = true
    for (const cancel of cancels) cancel()
  }
  return Object.assign(every, { stop })
}

/** In a transaction that one instance at a time has; null, doing nothing, while another has it. */
export async function tryWithLock<T>(connect: Connect, name: string, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [lock] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext(${`intag.${name}`}))` })
      .from(sql`(values (1)) as once`)
    return lock?.isMine === true ? run(tx) : null
  })
}
