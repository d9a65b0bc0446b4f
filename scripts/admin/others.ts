import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '@/server/db/database'

const othersSchema = z.object({ rows: z.tuple([z.object({ others: z.coerce.number() })]) })

/** Refuses while an instance of Intag has this PostgreSQL open; PGlite refuses that itself, by the lock on its folder. */
export async function refuseOthers(db: Db, databaseUrl: string | null): Promise<void> {
  if (databaseUrl === null) return
  const found = await db.execute(sql`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and application_name = 'intag' and pid <> pg_backend_pid()`)
  const [{ others }] = othersSchema.parse(found).rows
  // This process has one connection, which asks.
  if (others > 0) throw new Error('Intag runs on this database: stop every instance first.')
}
