import 'server-only'
import { DatabaseUnreachableError } from './errors'
import { oncePerProcess } from './once-per-process'
import { databaseTrouble, isDatabaseRefusing, isDatabasesOutage, isDatabaseUnreachable } from './trouble'

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

export function isDatabaseAway({ databaseUrl }: { databaseUrl: string | null }, error: unknown): boolean {
  return databaseUrl !== null && isDatabaseUnreachable(error) && !isDatabaseRefusing(error)
}
