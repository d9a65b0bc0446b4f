import 'server-only'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Pool } from 'pg'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { lockFolder } from './folder-lock'
import { closeAll, makePrivate } from './private-folder'
import * as schema from './schema'
import { migrateWithCare } from './schema-version'
import { type OnQueryFailed, watchedClient } from './watched-client'

/** Either driver, or a transaction of either. Inside a transaction use `tx` alone: PGlite has one connection. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>
/** How a part reaches the database: asked for at each use, so that nothing opens before it is needed. */
export type Connect = () => Promise<Db>

type Database = {
  /** Opened and migrated at the first call; a failure is not cached, so the next call tries again. */
  ready(): Promise<Db>
  /** Idempotent; afterwards the folder is free for another process. */
  close(): Promise<void>
  /** The connections to PostgreSQL at this moment; null for PGlite, and while there is none. */
  connections(): Connections | null
}
export type Connections = { inUse: number; idle: number; waiting: number }

/** PostgreSQL when DATABASE_URL is set, else PGlite under DATA_DIR. Opens nothing until it is asked for. */
export function openDatabase(
  env: Pick<Env, 'databaseUrl' | 'dataDir'>,
  logger: Logger,
  onQueryFailed: OnQueryFailed = () => {},
): Database {
  const { databaseUrl } = env
  const open = () => (databaseUrl === null ? openPglite(env.dataDir) : openPostgres(databaseUrl, logger, onQueryFailed))
  let opening: Promise<OpenDatabase> | null = null
  let connections: OpenDatabase['connections']
  return {
    connections: () => connections?.() ?? null,
    async ready() {
      opening ??= open()
      const current = opening
      try {
        const opened = await current
        connections = opened.connections
        return opened.db
      } catch (error) {
        if (opening === current) opening = null
        throw error
      }
    },
    async close() {
      const current = opening
      opening = null
      await (await current?.catch(() => null))?.close()
    },
  }
}

/** An open database, its tables brought up to date. */
export type OpenDatabase = { db: Db; close(): Promise<void>; connections?: () => Connections }

/** PostgreSQL inside this process, its files under `dataDir/pg`. One process at a time may hold the folder. */
export async function openPglite(dataDir: string): Promise<OpenDatabase> {
  makePrivate(dataDir)
  const unlock = await lockFolder(join(dataDir, 'folder.lock'))
  try {
    const client = await createPglite({ dataDir: join(dataDir, 'pg') })
    const open = await migrated(client, unlock)
    // Some files PGlite makes readable for all, whatever the umask; the folder itself lets nobody in.
    closeAll(dataDir)
    const close = async () => {
      await open.close()
      try {
        closeAll(dataDir)
      } catch {
        // What cannot be closed, or is gone, is said at the next start.
      }
    }
    return { ...open, close }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** PostgreSQL's own 128 MB of buffers would be held twice, here and by the system, which has the files in memory anyway. */
const SMALL = ['-c', 'shared_buffers=16MB', '-c', 'wal_buffers=256kB']

/** PGlite in a folder, or in memory where none is named. */
export async function createPglite(options: PGliteOptions): Promise<PGlite> {
  // Optimising one single function of PostgreSQL (its interpreter of expressions) takes 600 MB and a second of processor
  // time, and what it gains is a tenth of a query.
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  const client = await PGlite.create({ ...options, startParams: [...PGlite.defaultStartParams, ...SMALL] })
  // Drizzle brings parsers of its own to each query, and PGlite copies all of its own for that: a third of a short query
  // went into those for arrays of whole rows, of which nobody asks.
  for (const type of Object.keys(client.parsers).map(Number)) if (type >= FIRST_ROW_TYPE) delete client.parsers[type]
  return client
}

/** PostgreSQL's types have fixed numbers below this one; those of the rows of a table get any above. */
const FIRST_ROW_TYPE = 10_000

/** A database of this process with its tables brought up to date; `unlock` is called once it is closed. */
export async function migrated(client: PGlite, unlock: () => Promise<void>): Promise<OpenDatabase> {
  const db = onPglite(client, { schema })
  try {
    const folder = migrationsFolder()
    await migrateWithCare(db, folder, () => migratePglite(db, { migrationsFolder: folder }))
  } catch (error) {
    await client.close()
    throw error
  }
  const close = async () => {
    if (!client.closed) await client.close()
    await unlock()
  }
  return { db, close }
}

/** PostgreSQL as DATABASE_URL names it. Rejects with the driver's error when it cannot be reached. */
export async function openPostgres(
  url: string,
  logger: Logger,
  onQueryFailed: OnQueryFailed = () => {},
): Promise<OpenDatabase> {
  const pool = new Pool({
    Client: watchedClient(onQueryFailed),
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3000,
    query_timeout: 15_000,
    // A process that was stopped in the middle of a transaction would hold the lock of all writers.
    idle_in_transaction_session_timeout: 10_000,
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
  return {
    db: onPostgres(pool, { schema }),
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** The key of the advisory lock under which one instance migrates while the others wait; any number. */
const MIGRATION_LOCK = 4_683_024

async function migrateAlone(pool: Pool): Promise<void> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const folder = migrationsFolder()
    const db = onPostgres(client, { schema })
    await migrateWithCare(db, folder, () => migratePostgres(db, { migrationsFolder: folder }))
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    broken = false
  } finally {
    // Destroying the connection also frees the lock it holds.
    client.release(broken)
  }
}

/** Read from the folder the server is started in: a bundler moves the code, but not these files. */
export const migrationsFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'server', 'db', 'migrations')
