import 'server-only'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, migrationsFolder } from './database'

const lastSchema = z.object({ rows: z.array(z.object({ last: z.coerce.number().nullable() })) })
const thereSchema = z.object({ rows: z.array(z.object({ there: z.boolean() })) })

/** The newest migration that a database has, by its time; null for one without tables. */
export async function migrationOf(db: Db): Promise<number | null> {
  const found = await db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`)
  if (thereSchema.parse(found).rows[0]?.there !== true) return null
  const last = await db.execute(sql`select max(created_at) as last from drizzle.__drizzle_migrations`)
  return lastSchema.parse(last).rows[0]?.last ?? null
}

/** The newest migration that this release knows. */
export function newestMigration(): number {
  return Math.max(...knownMigrations().map(({ folderMillis }) => folderMillis))
}

/** How many migrations this release knows that a database lacks. */
export function missingMigrations(last: number | null): number {
  return knownMigrations().filter(({ folderMillis }) => folderMillis > (last ?? 0)).length
}

/** Within a transaction: applies those after the one and up to the other, as `drizzle-orm` does at a start. */
export async function migrateBetween(tx: Db, after: number, through: number): Promise<void> {
  for (const { sql: statements, folderMillis, hash } of knownMigrations()) {
    if (folderMillis <= after || folderMillis > through) continue
    for (const statement of statements) await tx.execute(sql.raw(statement))
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations ("hash", "created_at") values (${hash}, ${folderMillis})`,
    )
  }
}

function knownMigrations() {
  return readMigrationFiles({ migrationsFolder: migrationsFolder() })
}
