import 'server-only'
import { performance } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { createCounters } from './counters'
import { databaseAnswers, openDatabase } from './database'
import type { Env } from './env'
import { createPeriodicJobs } from './periodic-jobs'
import { createInstanceEvents } from './instance-events'
import { createLogger } from './logger'
import { oncePerProcess } from './once-per-process'
import { processOutage } from './database-outage'
import { createAnnouncer } from './announcer'
import { createSeal } from './seal'

/**
 * Everything that a running Intag consists of, by name; verbs take it whole. Each room declares what it builds in its
 * own `services.ts`, so that a verb imports no room above its own. `run/services.ts` builds them in this order.
 */
export interface Services extends BaseServices {}

/** What `startedServices` has built (`server/run/services.ts`). */
export const getServices = oncePerProcess<Services>('services', () => {
  throw new Error('Intag has not been started')
})

/** How long a cache of the database may be wrong after a change that is not announced. */
const CACHE_TTL_MS = 5_000

export type BaseServices = ReturnType<typeof createBaseServices>

/** Building opens no connection. */
export function createBaseServices(env: Env) {
  const now = Date.now
  const logger = createLogger(env)
  const registry = new Registry()
  const database = openDatabase(env, logger)
  const connect = () => database.connect()
  processOutage().setProbe(() => databaseAnswers(connect))
  const dataKeys = { current: env.dataKey, previous: env.previousDataKey }
  const events = createInstanceEvents({ databaseUrl: env.databaseUrl, connect, logger })
  const announcer = createAnnouncer({ events, schedule, cacheTtlMs: CACHE_TTL_MS })
  return {
    env,
    now,
    clock: { now, monotonic: () => performance.now() },
    schedule,
    logger,
    repeatEvery: createPeriodicJobs({ schedule, logger }),
    registry,
    counters: createCounters(registry),
    database,
    connect,
    onUnreachable: (err: unknown) => logger.warn({ err }, 'the database cannot be read; what was read last holds'),
    dataKeys,
    seal: createSeal(dataKeys),
    events,
    announcer,
    /** How long a cache of the database is trusted: not at all while changes of other instances are not heard. */
    cacheTtlMs: () => (announcer.isListening() ? CACHE_TTL_MS : 0),
  }
}

/** A timer that keeps no process alive. */
function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}
