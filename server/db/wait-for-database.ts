import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { databaseTrouble, isDatabaseUnreachable } from './trouble'

type Parts = {
  env: { databaseUrl: string | null }
  lifecycle: { awaitDatabase(isAway: boolean): void }
  logger: { warn(details: object, message: string): void; info(message: string): void }
  pauseMs?: number
  monotonic?: () => number
}

const PAUSE_MS = 2_000
const SAID_EVERY_MS = 60_000

/**
 * Runs a step of the start again until PostgreSQL can be reached, so that no supervisor gives up on Intag for the outage of
 * another server. Whatever waiting does not mend (a wrong password, an unknown database) rejects. The step may be run twice.
 */
export async function whenDatabaseAnswers(parts: Parts, step: () => Promise<void>): Promise<void> {
  const { env, lifecycle, logger, pauseMs = PAUSE_MS, monotonic = () => performance.now() } = parts
  let saidAt: number | null = null
  for (;;) {
    try {
      await step()
      if (saidAt !== null) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.awaitDatabase(false)
    } catch (error) {
      if (!isDatabaseAway(env, error)) throw error
      lifecycle.awaitDatabase(true)
      if (saidAt === null || monotonic() - saidAt >= SAID_EVERY_MS) {
        saidAt = monotonic()
        logger.warn({ trouble: databaseTrouble(error) }, 'Intag waits for the database, and serves nobody yet')
      }
      await wait(pauseMs)
    }
  }
}

/** Whether it may come by itself; PGlite is in this process. */
export function isDatabaseAway({ databaseUrl }: Parts['env'], error: unknown): boolean {
  return databaseUrl !== null && isDatabaseUnreachable(error)
}
