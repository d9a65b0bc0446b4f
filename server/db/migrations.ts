import 'server-only'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { SettingsError } from '@/server/env'
import type * as schema from './schema'
import { settings } from './schema'
import { databaseTrouble, isDatabaseUnreachable } from './trouble'

type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** Relative to the working directory: a bundler moves code, but not these files. */
export const migrationsFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'server', 'db', 'migrations')

/** The newest migration that a database has, by its time (ms); null for one without tables. */
export async function migrationOf(db: Db): Promise<number | null> {
  if ((await valueOf(db, sql`select to_regclass('drizzle.__drizzle_migrations') as value`)) === null) return null
  const last = await valueOf(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`)
  return last === null ? null : Number(last)
}

const rowsSchema = z.object({ rows: z.array(z.object({ value: z.coerce.string().nullable() })) })

async function valueOf(db: Db, query: SQL): Promise<string | null> {
  return rowsSchema.parse(await db.execute(query)).rows[0]?.value ?? null
}

export function newestMigration(): number {
  return Math.max(...knownMigrations().map(({ folderMillis }) => folderMillis))
}

export function missingMigrations(last: number | null): number {
  return knownMigrations().filter(({ folderMillis }) => folderMillis > (last ?? 0)).length
}

function knownMigrations() {
  return readMigrationFiles({ migrationsFolder: migrationsFolder() })
}

/** The newest migration of the release before this one, which may run on these tables during an update. */
const OLDEST_COMPATIBLE = '0005_operations'
const SCHEMA = 'schema'

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })).min(1) })
const schemaNoteSchema = z.object({ migration: z.string(), when: z.number(), oldestCompatible: z.number() })

/** `SettingsError` for tables of a newer release, another encoding, or a missing right. */
export async function migrateChecked(db: Db, folder: string, migrate: () => Promise<void>): Promise<void> {
  const migrations = migrationsIn(folder)
  const newest = migrations.at(-1)
  if (newest === undefined) throw new Error('there are no migrations')
  await requireUtf8(db)
  const last = await migrationOf(db)
  if (last !== null && last > newest.when) return requireCompatible(db, newest)
  await migrate().catch((error: unknown) => {
    if (isDatabaseUnreachable(error)) throw error
    throw new SettingsError([
      `the tables of the database could not be brought up to date (up to ${newest.tag}), and stay as they were: ${databaseTrouble(error)}`,
    ])
  })
  const oldest = migrations.find(({ tag }) => tag === OLDEST_COMPATIBLE) ?? newest
  const value = { migration: newest.tag, when: newest.when, oldestCompatible: oldest.when }
  const row = { value, updatedAt: new Date() }
  if (JSON.stringify(await readSchemaNote(db)) === JSON.stringify(value)) return
  await db
    .insert(settings)
    .values({ name: SCHEMA, ...row })
    .onConflictDoUpdate({ target: settings.name, set: row })
}

type Migration = { tag: string; when: number }

function migrationsIn(folder: string): Migration[] {
  return journalSchema.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))).entries
}

async function requireUtf8(db: Db): Promise<void> {
  const encoding = await valueOf(db, sql`select getdatabaseencoding() as value`)
  if (encoding !== 'UTF8')
    throw new SettingsError([
      `the database has the encoding ${encoding} and must have UTF8: make it with createdb --encoding=UTF8 --template=template0`,
    ])
}

async function requireCompatible(db: Db, newest: Migration): Promise<void> {
  const note = await readSchemaNote(db)
  if (note !== null && note.oldestCompatible <= newest.when) return
  const theirMigration = note?.migration ?? 'one that is not known here'
  throw new SettingsError([
    `the database was made by a newer Intag (its tables: ${theirMigration}; this Intag knows them up to ${newest.tag}): start the newer one, or restore a backup from before it`,
  ])
}

async function readSchemaNote(db: Db): Promise<z.infer<typeof schemaNoteSchema> | null> {
  const [row] = await db.select().from(settings).where(eq(settings.name, SCHEMA))
  const { data } = schemaNoteSchema.safeParse(row?.value)
  return data ?? null
}
