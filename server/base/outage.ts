import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnreachableError } from './errors'
import { oncePerProcess } from './once-per-process'
import { databaseTrouble, isDatabaseRefusing, isDatabasesOutage, isDatabaseUnreachable } from './trouble'

export type Outage = ReturnType<typeof createOutage>

const MINUTE_MS = 60_000

/** An outage of the database is logged once a minute, and checked again before a page shows it. */
export function createOutage(now: () => number = Date.now) {
  let loggedAt = -Infinity
  let failures = 0
  let answers: () => Promise<boolean> = async () => true
  return {
    probe: (ask: () => Promise<boolean>): void => {
      answers = ask
    },
    answers: (): Promise<boolean> => answers(),
    /** Null for an error of another origin; else the line to log for it, if one is due. */
    onError: (error: unknown): { line: { trouble: string; failures: number } | null } | null => {
      // Thrown on because of another error, which is logged itself.
      if (error instanceof DatabaseUnreachableError) return { line: null }
      if (!isDatabasesOutage(error)) return null
      failures += 1
      if (now() - loggedAt < MINUTE_MS) return { line: null }
      const line = { trouble: databaseTrouble(error), failures }
      loggedAt = now()
      failures = 0
      return { line }
    },
  }
}

export const processOutage = oncePerProcess('outage', createOutage)

type StartParts = {
  env: { databaseUrl: string | null }
  lifecycle: { awaitDatabase(isAway: boolean): void }
  logger: { warn(details: object, message: string): void; info(message: string): void }
  pauseMs?: number
  monotonic?: () => number
}

const PAUSE_MS = 2_000

/** Rejects with what waiting does not mend. */
export async function whenDatabaseAnswers(parts: StartParts, step: () => Promise<void>): Promise<void> {
  const { env, lifecycle, logger, pauseMs = PAUSE_MS, monotonic = () => performance.now() } = parts
  let warnedAt: number | null = null
  for (;;) {
    try {
      await step()
      if (warnedAt !== null) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.awaitDatabase(false)
    } catch (error) {
      if (!isDatabaseAway(env, error)) throw error
      lifecycle.awaitDatabase(true)
      if (warnedAt === null || monotonic() - warnedAt >= MINUTE_MS) {
        warnedAt = monotonic()
        logger.warn({ trouble: databaseTrouble(error) }, 'Intag waits for the database, and serves nobody yet')
      }
      await wait(pauseMs)
    }
  }
}

export function isDatabaseAway({ databaseUrl }: StartParts['env'], error: unknown): boolean {
  return databaseUrl !== null && isDatabaseUnreachable(error) && !isDatabaseRefusing(error)
}
