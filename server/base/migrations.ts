import 'server-only'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { SettingsError } from './env'
import type * as schema from './schema'
import { databaseTrouble, isDatabaseUnreachable } from './trouble'

type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** Relative to the working directory: a bundler moves code, but not these files. */
export const migrationsFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'server', 'base', 'migrations')

const rowsSchema = z.object({ rows: z.array(z.object({ value: z.coerce.string().nullable() })) })

async function valueOf(db: Db, query: SQL): Promise<string | null> {
  return rowsSchema.parse(await db.execute(query)).rows[0]?.value ?? null
}

/** The newest migration that a database has, by its time (ms); null for one without tables. */
export async function migrationOf(db: Db): Promise<number | null> {
  if ((await valueOf(db, sql`select to_regclass('drizzle.__drizzle_migrations') as value`)) === null) return null
  const last = await valueOf(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`)
  return last === null ? null : Number(last)
}

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

/** How many migrations a database still lacks whose newest is `last`. `SettingsError` for one of a newer release. */
export function missingMigrations(last: number | null, folder = migrationsFolder()): number {
  const journal: unknown = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))
  const { entries } = journalSchema.parse(journal)
  const newest = entries.at(-1)
  if (newest !== undefined && (last ?? 0) > newest.when)
    throw new SettingsError([
      `the database was made by a newer Intag (this one knows its tables up to ${newest.tag}): start the newer one, or restore a backup from before it`,
    ])
  return entries.filter(({ when }) => when > (last ?? 0)).length
}

/** `SettingsError` for tables of a newer release, another encoding, or a missing right. */
export async function migrateChecked(db: Db, folder: string, migrate: () => Promise<void>): Promise<void> {
  const encoding = await valueOf(db, sql`select getdatabaseencoding() as value`)
  if (encoding !== 'UTF8')
    throw new SettingsError([
      `the database has the encoding ${encoding} and must have UTF8: make it with createdb --encoding=UTF8 --template=template0`,
    ])
  missingMigrations(await migrationOf(db), folder)
  await migrate().catch((error: unknown) => {
    if (isDatabaseUnreachable(error)) throw error
    throw new SettingsError([
      `the tables of the database could not be brought up to date, and stay as they were: ${databaseTrouble(error)}`,
    ])
  })
}
