import 'server-only'
import { performance } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '@/server/db/database'
import { missingMigrations, migrationOf, newestMigration } from '@/server/db/migrations-of'

/** What a database is, as somebody who runs it wants to know. */
export const databaseFactsSchema = z.object({
  version: z.string(),
  bytes: z.number(),
  /** How much its clock is ahead of this machine's. */
  aheadMs: z.number(),
  /** The median of some questions. */
  latencyMs: z.number(),
  /** Whether tables can be made, as a new release may have to. */
  mayCreate: z.boolean(),
  /** Migrations of this release that it lacks; negative when it has newer ones. */
  missing: z.number(),
})
export type DatabaseFacts = z.infer<typeof databaseFactsSchema>

const rowsSchema = z.object({
  rows: z.tuple([
    z.object({ version: z.string(), bytes: z.coerce.number(), now: z.coerce.number(), may: z.boolean() }),
  ]),
})
const QUESTIONS = 7

/** Asks the database about itself and changes nothing. Rejects with the driver's error. */
export async function databaseFacts(db: Db, now: () => number): Promise<DatabaseFacts> {
  const took: number[] = []
  for (let turn = 0; turn < QUESTIONS; turn += 1) {
    const before = performance.now()
    await db.execute(sql`select 1`)
    took.push(performance.now() - before)
  }
  const before = now()
  const found = await db.execute(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      extract(epoch from clock_timestamp()) * 1000 as now,
      has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as may`)
  const middle = (before + now()) / 2
  const [facts] = rowsSchema.parse(found).rows
  const last = await migrationOf(db)
  return {
    version: facts.version,
    bytes: facts.bytes,
    aheadMs: Math.round(facts.now - middle),
    latencyMs: Math.round((took.toSorted((a, b) => a - b)[Math.floor(QUESTIONS / 2)] ?? 0) * 10) / 10,
    mayCreate: facts.may,
    missing: last !== null && last > newestMigration() ? -1 : missingMigrations(last),
  }
}
