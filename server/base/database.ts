import 'server-only'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Pool } from 'pg'
import { z } from 'zod'
import { withTimeout } from './deadline'
import { type Env, SettingsError } from './env'
import type { Logger } from './logger'
import { giveToOwner, lockFolder, ensurePrivateFolder } from './data-folder'
import * as schema from './schema'
import { explainDatabaseError, isDatabaseUnreachable } from './database-outage'

/** Either driver, or a transaction of either. Inside a transaction use `tx` alone: PGlite has one connection. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>
/** Called at each use, so that nothing opens before it is needed. */
export type Connect = () => Promise<Db>

/** PostgreSQL when DATABASE_URL is set, else PGlite under DATA_DIR. Opens nothing until it is asked for. */
export function openDatabase(env: Pick<Env, 'databaseUrl' | 'dataDir'>, logger: Logger) {
  const { databaseUrl } = env
  const open = () => (databaseUrl === null ? openPglite(env.dataDir) : openPostgres(databaseUrl, logger))
  let opening: Promise<OpenDatabase> | null = null
  let connections: OpenDatabase['connections']
  return {
    connections: () => connections?.() ?? null,
    /** Opened and migrated at the first call; a failure is not cached, so the next call tries again. */
    async connect(): Promise<Db> {
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
    async close(): Promise<void> {
      const current = opening
      opening = null
      await (await current?.catch(() => null))?.close()
    },
  }
}

export type OpenDatabase = { db: Db; close(): Promise<void>; connections?: () => Connections }
type Connections = { inUse: number; idle: number; waiting: number }

/** PostgreSQL inside this process, its files under `dataDir/pg`. One process at a time may hold the folder. */
export async function openPglite(dataDir: string, { migrates = true } = {}): Promise<OpenDatabase> {
  ensurePrivateFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    const client = await createPglite({ dataDir: join(dataDir, 'pg') })
    const db = migrates ? await migrate(client) : onPglite(client, { schema })
    giveToOwner(dataDir)
    const close = async () => {
      if (!client.closed) await client.close()
      giveToOwner(dataDir)
      await unlock()
    }
    return { db, close }
  } catch (error) {
    await unlock()
    throw error
  }
}

export async function createPglite(options: PGliteOptions): Promise<PGlite> {
  // Optimising PostgreSQL's expression interpreter takes 600 MB and a second, for a tenth of a query.
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  // PostgreSQL's default of 128 MB would be held twice, here and by the system's cache.
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'wal_buffers=256kB']
  const client = await PGlite.create({ ...options, startParams }).catch((cause: unknown) => {
    throw new Error('PGlite does not open: restore a backup.', { cause })
  })
  // Drizzle passes parsers with each query, and PGlite copies its own: a third of a query went into row types, which follow
  // PostgreSQL's own.
  for (const type of Object.keys(client.parsers).map(Number)) if (type >= 10_000) delete client.parsers[type]
  return client
}

/** Brings its tables up to date; closes it where that fails. */
export async function migrate(client: PGlite): Promise<Db> {
  const db = onPglite(client, { schema })
  try {
    await migrateChecked(db, (config) => migratePglite(db, config))
    return db
  } catch (error) {
    await client.close()
    throw error
  }
}

export async function openPostgres(url: string, logger: Logger): Promise<OpenDatabase> {
  const open = connectPostgres(url, logger)
  try {
    await open.db.transaction(async (lock) => {
      // Idle for as long as the other connection migrates.
      await lock.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      await lock.execute(sql`select pg_advisory_xact_lock(4683024)`)
      const client = await open.pool.connect()
      try {
        const db = onPostgres(client, { schema })
        await migrateChecked(db, (config) => migratePostgres(db, config))
      } finally {
        client.release()
      }
    })
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

/**
 * The one way to connect, also for the console's checks. It needs nothing of a connection that outlives a transaction
 * and sends no settings with its start, so that a pooler in between may pool sessions or transactions.
 */
export function connectPostgres(url: string, logger: Pick<Logger, 'warn'>) {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3000,
    query_timeout: 15_000,
    application_name: 'intag',
  })
  // Without a listener these events would end the process, also of a connection in use, which the pool does not hear.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.once('error', (error) => logger.warn({ err: error }, 'database connection lost'))
    client.on('error', () => {})
  })
  const db = onPostgres(pool, { schema })
  db.transaction = async (work, config) => {
    // Drizzle itself would never give back a connection on which a transaction could not begin.
    const client = await pool.connect()
    let isBroken = false
    try {
      return await onPostgres(client, { schema }).transaction(async (tx) => {
        // A paused process would otherwise hold the lock of all writers.
        await tx.execute(sql`set local idle_in_transaction_session_timeout = '10s'`)
        return work(tx)
      }, config)
    } catch (error) {
      isBroken = isDatabaseUnreachable(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  return {
    db,
    pool,
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
    connections: () => ({ inUse: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

export function* toChunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Within two seconds. */
export async function databaseAnswers(connect: () => Promise<Pick<Db, 'execute'>>): Promise<boolean> {
  const ask = async () => Boolean(await (await connect()).execute(sql`select 1`))
  return withTimeout(ask(), 2_000).catch(() => false)
}

/** Relative to the working directory: a bundler moves code, but not these files. */
export const migrationsFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'server', 'base', 'migrations')

async function queryValue(db: Db, query: SQL): Promise<string | null> {
  const answer = z.object({ rows: z.array(z.object({ value: z.coerce.string().nullable() })) })
  return answer.parse(await db.execute(query)).rows[0]?.value ?? null
}

/** The newest migration that a database has, by its time (ms); null for one without tables. */
export async function findLastMigration(db: Db): Promise<number | null> {
  if ((await queryValue(db, sql`select to_regclass('drizzle.__drizzle_migrations') as value`)) === null) return null
  const last = await queryValue(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`)
  return last === null ? null : Number(last)
}

/** How many migrations a database still lacks whose newest is `last`. `SettingsError` for one of a newer release. */
export function countMissingMigrations(last: number | null, folder = migrationsFolder()): number {
  const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })
  const { entries } = journal.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')))
  const newest = entries.at(-1)
  if (newest !== undefined && (last ?? 0) > newest.when)
    throw new SettingsError([
      `the database was made by a newer Intag (this one knows its tables up to ${newest.tag}): start the newer one, or restore a backup from before it`,
    ])
  return entries.filter(({ when }) => when > (last ?? 0)).length
}

/** `SettingsError` for tables of a newer release, another encoding, or a missing right. */
export async function migrateChecked(
  db: Db,
  run: (config: { migrationsFolder: string }) => Promise<void>,
  folder = migrationsFolder(),
): Promise<void> {
  const encoding = await queryValue(db, sql`select getdatabaseencoding() as value`)
  if (encoding !== 'UTF8')
    throw new SettingsError([
      `the database has the encoding ${encoding} and must have UTF8: make it with createdb --encoding=UTF8 --template=template0`,
    ])
  countMissingMigrations(await findLastMigration(db), folder)
  await run({ migrationsFolder: folder }).catch((error: unknown) => {
    if (isDatabaseUnreachable(error)) throw error
    throw new SettingsError([
      `the tables of the database could not be brought up to date, and stay as they were: ${explainDatabaseError(error)}`,
    ])
  })
}
