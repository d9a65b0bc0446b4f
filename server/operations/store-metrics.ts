import 'server-only'
import { Gauge, type Registry } from 'prom-client'
import type { Connections, Db } from '@/server/db/database'
import type { RedisConnections } from '@/server/db/redis-connections'
import { databaseAnswers } from './health'
import { keptCounter, single } from './registry'

export type DatabaseFigures = { ready: () => Promise<Pick<Db, 'execute'>>; connections: () => Connections | null }
export type RedisFigures = Pick<RedisConnections, 'condition'>

/** Whether the database answers at this moment, and, on PostgreSQL, its connections. */
export function databaseMetrics(registry: Registry, { ready, connections }: DatabaseFigures): void {
  single(registry, 'intag_database_up', '1 while the database answers', async () =>
    Number(await databaseAnswers(ready)),
  )
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
