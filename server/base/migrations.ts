import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isDatabaseFault } from './database-outage'
import { SettingsError } from './env'
import { explainDatabaseError } from './explain-database-error'

type Database = { execute: (query: SQL) => PromiseLike<unknown> }

/** The folder is relative to the working directory, because a bundler moves code but no SQL files. */
export const findMigrationsFolder = () =>
  join(/* turbopackIgnore: true */ process.cwd(), 'server', 'base', 'migrations')

/** Throws `SettingsError` for another encoding than UTF8, tables of a newer release, or a migration that fails. */
export async function migrateChecked(
  db: Database,
  run: (config: { migrationsFolder: string }) => Promise<void>,
  folder = findMigrationsFolder(),
): Promise<void> {
  const encoding = await queryValue(db, sql`select getdatabaseencoding() as value`)
  if (encoding !== 'UTF8')
    throw new SettingsError([
      `the database has the encoding ${encoding} and must have UTF8: make it with createdb --encoding=UTF8 --template=template0`,
    ])
  countMissingMigrations(await findLastMigration(db), folder)
  await run({ migrationsFolder: folder }).catch((error: unknown) => {
    if (isDatabaseFault(error)) throw error
    throw new SettingsError([
      `the tables of the database could not be brought up to date, and stay as they were: ${explainDatabaseError(error)}`,
    ])
  })
}

/** Returns the time (ms) of the database's newest migration, or null if none has run. */
export async function findLastMigration(db: Database): Promise<number | null> {
  if ((await queryValue(db, sql`select to_regclass('drizzle.__drizzle_migrations') as value`)) === null) return null
  const lastCreatedAt = await queryValue(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`)
  return lastCreatedAt === null ? null : Number(lastCreatedAt)
}

/** Counts the migrations after `lastCreatedAt` (ms). Throws `SettingsError` if a newer release made that one. */
export function countMissingMigrations(lastCreatedAt: number | null, folder = findMigrationsFolder()): number {
  const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })
  const { entries } = journalSchema.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')))
  const newest = entries.at(-1)
  if (newest !== undefined && (lastCreatedAt ?? 0) > newest.when)
    throw new SettingsError([
      `the database was made by a newer Intag (this one knows its tables up to ${newest.tag}): start the newer one, or restore a backup from before it`,
    ])
  return entries.filter(({ when }) => when > (lastCreatedAt ?? 0)).length
}

async function queryValue(db: Database, query: SQL): Promise<string | null> {
  const answerSchema = z.object({ rows: z.array(z.object({ value: z.coerce.string().nullable() })) })
  return answerSchema.parse(await db.execute(query)).rows[0]?.value ?? null
}
