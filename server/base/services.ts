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

/** For this time a cache of database rows may miss a change whose announcement was lost. */
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
    /** How long a cache of database rows is valid; 0 while no announcements of other instances arrive. */
    cacheTtlMs: (): number => (events.isListening() ? CACHE_TTL_MS : 0),
  }
}

function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}
