import 'server-only'
import { performance } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { createAnnouncer } from './announcer'
import { createCounters } from './counters'
import { databaseAnswers, openDatabase } from './database'
import { processOutage } from './database-outage'
import type { Env } from './env'
import { createInstanceEvents } from './instance-events'
import { createLogger } from './logger'
import { oncePerProcess } from './once-per-process'
import { createPeriodicJobs } from './periodic-jobs'
import { createSeal } from './seal'

/**
 * Everything that a running Intag consists of; every verb takes it. Each room adds what it builds in its own
 * `services.ts`, so that types do not depend on higher rooms.
 */
export interface Services extends BaseServices {}

/** Returns what `buildServices` has built (`server/run/services.ts`). */
export const getServices = oncePerProcess<Services>('services', () => {
  throw new Error('Intag has not been started')
})

/** A cache of database rows may be wrong for this long after a change that is not announced. */
const CACHE_TTL_MS = 5_000

export type BaseServices = ReturnType<typeof createBaseServices>

/** Builds the services of this room. It opens no connection. */
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
    /** How long (ms) a cache of database rows is valid; 0 while changes of other instances do not arrive. */
    cacheTtlMs: (): number => (announcer.isListening() ? CACHE_TTL_MS : 0),
  }
}

/** Starts a timer that does not keep the process alive, and returns its cancellation. */
function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}
