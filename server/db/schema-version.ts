import 'server-only'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { SettingsError } from '@/server/env'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'
import { settings } from './schema'
import { databaseTrouble, isDatabaseUnreachable } from './trouble'

/**
 * The oldest code that may run on the tables that this code makes, named by its newest migration. Migrations only add, so it
 * is the one of the release before: an instance of that may start again while instances of this one run, or after a way back.
 */
const OLDEST_COMPATIBLE = '0005_operations'
const SCHEMA = 'schema'

type Db = PgDatabase<PgQueryResultHKT, typeof schema>

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })).min(1) })
const rowsSchema = z.object({ rows: z.array(z.object({ value: z.coerce.string().nullable() })) })
const saidSchema = z.object({ migration: z.string(), when: z.number(), oldestCompatible: z.number() })

/**
 * Brings the tables up to date by `migrate`, and says in the settings which code made them. `SettingsError` in a sentence where
 * that cannot be: tables of a newer Intag that this one does not know, another encoding, a right that is missing.
 */
export async function migrateWithCare(db: Db, folder: string, migrate: () => Promise<void>): Promise<void> {
  const known = migrationsIn(folder)
  const newest = known.at(-1)
  if (newest === undefined) throw new Error('there are no migrations')
  await requireUtf8(db)
  const last = await lastMigration(db)
  if (last !== null && last > newest.when) return requireCompatible(db, newest)
  await migrate().catch((error: unknown) => {
    if (isDatabaseUnreachable(error)) throw error
    throw new SettingsError([
      `the tables of the database could not be brought up to date (up to ${newest.tag}), and stay as they were: ${databaseTrouble(error)}`,
    ])
  })
  const oldest = known.find(({ tag }) => tag === OLDEST_COMPATIBLE) ?? newest
  const value = { migration: newest.tag, when: newest.when, oldestCompatible: oldest.when }
  const row = { value, updatedAt: new Date() }
  // Written by whoever migrates, while it alone does so.
  const isSaid = JSON.stringify(await saidIn(db)) === JSON.stringify(value)
  if (isSaid) return
  await db
    .insert(settings)
    .values({ name: SCHEMA, ...row })
    .onConflictDoUpdate({ target: settings.name, set: row })
}

type Migration = { tag: string; when: number }

function migrationsIn(folder: string): Migration[] {
  return journalSchema.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))).entries
}

/** Names are written in any language, and compared letter by letter. */
async function requireUtf8(db: Db): Promise<void> {
  const encoding = await valueOf(db, sql`select getdatabaseencoding() as value`)
  if (encoding !== 'UTF8')
    throw new SettingsError([
      `the database has the encoding ${encoding} and must have UTF8: make it with createdb --encoding=UTF8 --template=template0`,
    ])
}

/** When the newest migration that has been made here was written (ms); null of an empty database. */
async function lastMigration(db: Db): Promise<number | null> {
  if ((await valueOf(db, sql`select to_regclass('drizzle.__drizzle_migrations') as value`)) === null) return null
  const last = await valueOf(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`)
  return last === null ? null : Number(last)
}

async function requireCompatible(db: Db, newest: Migration): Promise<void> {
  const said = await saidIn(db)
  if (said !== null && said.oldestCompatible <= newest.when) return
  const theirs = said?.migration ?? 'one that is not known here'
  throw new SettingsError([
    `the database was made by a newer Intag (its tables: ${theirs}; this Intag knows them up to ${newest.tag}): start the newer one, or restore a backup from before it`,
  ])
}

async function saidIn(db: Db): Promise<z.infer<typeof saidSchema> | null> {
  const rows = await db
    .select({ value: settings.value })
    .from(settings)
    .where(sql`${settings.name} = ${SCHEMA}`)
  const { data } = saidSchema.safeParse(rows[0]?.value)
  return data ?? null
}

async function valueOf(db: Db, query: ReturnType<typeof sql>): Promise<string | null> {
  return rowsSchema.parse(await db.execute(query)).rows[0]?.value ?? null
}
