import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool } from 'pg'
import { migrationsFolder } from './migrations-folder'
import type { OpenDatabase } from './open-database'
import * as schema from './schema'
import type { Logger } from '@/server/logger'

/** Any number, the same in every instance: whoever holds it migrates, the others wait. */
const MIGRATION_LOCK = 4_683_024

export async function openPostgres(url: string, logger: Logger): Promise<OpenDatabase> {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3000,
    query_timeout: 15_000,
    application_name: 'intag',
  })
  // An idle connection that breaks is replaced at the next query; unheard, the event would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'database connection lost'))
  try {
    await migrateAlone(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return { db: drizzle(pool, { schema }), close: () => (pool.ended ? Promise.resolve() : pool.end()) }
}

async function migrateAlone(pool: Pool): Promise<void> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder: migrationsFolder() })
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    broken = false
  } finally {
    // Destroying the connection also frees the lock it holds.
    client.release(broken)
  }
}
