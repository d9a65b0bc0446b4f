import 'server-only'
import { sql } from 'drizzle-orm'
import { Gauge, type Registry } from 'prom-client'
import type { Connections, Db } from '@/server/db/database'
import type { RedisConnections } from '@/server/db/redis-connections'
import { withinTime } from '@/server/upstream/deadline'
import { keptCounter, single } from './registry'

export type DatabaseFigures = { ready: () => Promise<Pick<Db, 'execute'>>; connections: () => Connections | null }
export type RedisFigures = Pick<RedisConnections, 'condition'>

const DATABASE_TIMEOUT_MS = 2_000

/** Whether the database answers at this moment, and, on PostgreSQL, its connections. */
export function databaseMetrics(registry: Registry, { ready, connections }: DatabaseFigures): void {
  single(registry, 'intag_database_up', '1 while the database answers', async () => {
    const answer = ready().then((db) => db.execute(sql`select 1`))
    return withinTime(answer, DATABASE_TIMEOUT_MS).then(
      () => 1,
      () => 0,
    )
  })
  const collect = function (this: Gauge<'state'>) {
    const { inUse, idle, waiting } = connections() ?? { inUse: Number.NaN, idle: Number.NaN, waiting: Number.NaN }
    this.set({ state: 'in-use' }, inUse)
    this.set({ state: 'idle' }, idle)
    this.set({ state: 'waiting' }, waiting)
  }
  const help = 'Connections to PostgreSQL by state; waiting: queries that wait for one'
  registry.registerMetric(
    new Gauge({ name: 'intag_database_connections', help, labelNames: ['state'], registers: [], collect }),
  )
}

/** Whether Redis answers, where there is one. */
export function redisMetrics(registry: Registry, { condition }: RedisFigures): void {
  single(registry, 'intag_redis_up', '1 while Redis answers', () => Number(condition().isUp))
  keptCounter(
    registry,
    'intag_redis_reconnects_total',
    'Tries to open a connection to Redis anew',
    () => condition().lost,
  )
}
