import 'server-only'
import { sql } from 'drizzle-orm'
import type { Db } from '@/server/db/db'

/** Whoever writes triage waits here for its turn, until the transaction ends. */
export async function lockTriage(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage'))`)
}
