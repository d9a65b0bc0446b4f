import { performance } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { createAnnouncer } from './announcer'
import { createCounters } from './counters'
import { probeDatabase, openDatabase } from './database'
import { processOutageMonitor } from './database-outage'
import type { Env } from './env'
import { createInstanceEvents } from './instance-events'
import { createLogger } from './logger'
import { oncePerProcess } from './once-per-process'
import { createPeriodicJobs } from './periodic-jobs'
import { createSeal } from './seal'

/** What a running Intag consists of. Each room adds its own services, so that none depends on a higher room. */
export interface Services extends BaseServices {}

export const getServices = oncePerProcess<Services>('services', () => {
  throw new Error('Intag has not been started')
})

/** After a change that is not announced, a cache of database rows may be wrong for this time. */
const CACHE_TTL_MS = 5_000

export type BaseServices = ReturnType<typeof createBaseServices>

export function createBaseServices(env: Env) {
  const now = Date.now
  const logger = createLogger(env)
  const registry = new Registry()
  const database = openDatabase(env)
  const connect = () => database.connect()
  processOutageMonitor().setProbe(() => probeDatabase(connect))
  const events = createInstanceEvents({ databaseUrl: env.databaseUrl, connect, logger })
  const announcer = createAnnouncer({ events, schedule, cacheTtlMs: CACHE_TTL_MS })
  return {
    env,
    now,
    clock: { now, monotonic: () => performance.now() },
    schedule,
    logger,
    jobs: createPeriodicJobs({ schedule, logger }),
    registry,
    counters: createCounters(registry),
    database,
    connect,
    onUnreachable: (err: unknown) => logger.warn({ err }, 'the database cannot be read; what was read last holds'),
    dataKeys: env.dataKeys,
    seal: createSeal(env.dataKeys),
    events,
    announcer,
    /** A cache of database rows is valid for so many ms; 0 while changes of other instances do not arrive. */
    cacheTtlMs: (): number => (events.isListening() ? CACHE_TTL_MS : 0),
  }
}

function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}
