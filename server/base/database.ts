import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { Pool } from 'pg'
import { ensurePrivateFolder, giveToOwner, lockFolder } from './data-folder'
import { isDatabaseFault } from './database-outage'
import { withTimeout } from './deadline'
import type { Env } from './env'
import { migrateChecked } from './migrations'
import * as schema from './schema'

/** A database of either driver, or a transaction. During one, only it may query, because PGlite has one connection. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>
export type Connect = () => Promise<Db>

export function openDatabase(env: Pick<Env, 'databaseUrl' | 'dataDir'>) {
  const { databaseUrl } = env
  const open = () => (databaseUrl === null ? openPglite(env.dataDir) : openPostgres(databaseUrl))
  let opening: Promise<DatabaseHandle> | null = null
  let countConnections: DatabaseHandle['countConnections']
  return {
    countConnections: () => countConnections?.(),
    /** The first call opens and migrates the database. After a failure the next call tries again. */
    async connect(): Promise<Db> {
      opening ??= open()
      const attempt = opening
      try {
        const database = await attempt
        countConnections = database.countConnections
        return database.db
      } catch (error) {
        if (opening === attempt) opening = null
        throw error
      }
    },
    async close(): Promise<void> {
      const attempt = opening
      opening = null
      await (await attempt?.catch(() => null))?.close()
    },
  }
}

export type DatabaseHandle = {
  db: Db
  close(): Promise<void>
  countConnections?: () => { inUse: number; idle: number; waiting: number }
}

export async function openPglite(dataDir: string, { migrates = true } = {}): Promise<DatabaseHandle> {
  ensurePrivateFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    const client = await createPglite({ dataDir: join(dataDir, 'pg') })
    const db = migrates ? await migrateClient(client) : onPglite(client, { schema })
    giveToOwner(dataDir)
    const close = async () => {
      try {
        await client.close()
        giveToOwner(dataDir)
      } finally {
        unlock()
      }
    }
    return { db, close }
  } catch (error) {
    unlock()
    throw error
  }
}

export async function createPglite(options: PGliteOptions): Promise<PGlite> {
  // Optimising PostgreSQL's expression interpreter takes 600 MB and a second, and saves a tenth of a query's time.
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  // PostgreSQL's default of 128 MB would take memory twice, here and in the system's cache.
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'wal_buffers=256kB']
  const client = await PGlite.create({ ...options, startParams }).catch((cause: unknown) => {
    throw new Error('PGlite does not open: restore a backup.', { cause })
  })
  // PGlite copies all parsers for each query of Drizzle, and those of row types (from 10 000) take a third of its time.
  for (const type of Object.keys(client.parsers).map(Number)) if (type >= 10_000) delete client.parsers[type]
  return client
}

export async function migrateClient(client: PGlite): Promise<Db> {
  const db = onPglite(client, { schema })
  try {
    await migrateChecked(db, (config) => migratePglite(db, config))
    return db
  } catch (error) {
    await client.close()
    throw error
  }
}

/** All releases take this advisory lock before they migrate. Its number is arbitrary. */
const MIGRATION_LOCK = 4_683_024

export async function openPostgres(url: string): Promise<DatabaseHandle> {
  const postgres = connectPostgres(url)
  try {
    await postgres.db.transaction(async (lockTx) => {
      // This transaction is idle while the other connection migrates.
      await lockTx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      await lockTx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
      const client = await postgres.pool.connect()
      try {
        const db = onPostgres(client, { schema })
        await migrateChecked(db, (config) => migratePostgres(db, config))
      } finally {
        client.release()
      }
    })
    return postgres
  } catch (error) {
    await postgres.close()
    throw error
  }
}

/** Connects without state that outlives a transaction, so that a pooler in between may pool transactions. */
export function connectPostgres(url: string) {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    query_timeout: 15_000,
    application_name: 'intag',
  })
  // Without listeners a lost connection would end the process. A query that is under way rejects by itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = onPostgres(pool, { schema })
  db.transaction = async (work, config) => {
    // Drizzle's own `transaction` releases no connection on which `begin` has failed.
    const client = await pool.connect().catch((cause: Error) => {
      throw new DrizzleQueryError('begin', [], cause)
    })
    let isBroken = false
    try {
      return await onPostgres(client, { schema }).transaction(async (tx) => {
        // Otherwise a paused process would hold its locks, and block every writer.
        await tx.execute(sql`set local idle_in_transaction_session_timeout = '10s'`)
        return work(tx)
      }, config)
    } catch (error) {
      isBroken = isDatabaseFault(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  return {
    db,
    pool,
    close: () => pool.end(),
    countConnections: () => {
      const { totalCount, idleCount, waitingCount } = pool
      return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
  }
}

export async function probeDatabase(connect: () => Promise<Pick<Db, 'execute'>>): Promise<boolean> {
  const querying = connect().then((db) => db.execute(sql`select 1`))
  return withTimeout(querying, 2_000).then(
    () => true,
    () => false,
  )
}
