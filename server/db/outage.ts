import 'server-only'
import { DatabaseUnreachableError } from '@/server/errors'
import { databaseTrouble, isDatabasesOutage } from './trouble'

export type Outage = ReturnType<typeof createOutage>

const MINUTE_MS = 60_000

/** What is known of the database being away: said once a minute, however many fail by it, and asked anew before a page says so. */
export function createOutage(now: () => number = Date.now) {
  let saidAt = -Infinity
  let failures = 0
  let answers: () => Promise<boolean> = async () => true
  return {
    /** How to find out whether the database answers. */
    probe: (ask: () => Promise<boolean>): void => {
      answers = ask
    },
    answers: (): Promise<boolean> => answers(),
    /** Null of an error that is another's; else the line to be logged for it, if it is time for one. */
    hear: (error: unknown): { line: { trouble: string; failures: number } | null } | null => {
      // Whoever was refused for it: why is told by whoever asked the database.
      if (error instanceof DatabaseUnreachableError) return { line: null }
      if (!isDatabasesOutage(error)) return null
      failures += 1
      if (now() - saidAt < MINUTE_MS) return { line: null }
      const line = { trouble: databaseTrouble(error), failures }
      saidAt = now()
      failures = 0
      return { line }
    },
  }
}

const KEY = Symbol.for('intag.outage')

/** The one of this process, for its log, routes, pages and the proxy, which Next loads apart from each other. */
export function processOutage(): Outage {
  const known = (globalThis as { [KEY]?: Outage })[KEY]
  if (known) return known
  const made = createOutage()
  Reflect.set(globalThis, KEY, made)
  return made
}
