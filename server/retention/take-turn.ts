import 'server-only'
import { sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/db'

/** Runs it in a transaction of its own, unless another instance is at it now: then null. */
export async function takeTurn<T>(connect: Connect, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [turn] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext('intag.retention'))` })
      .from(sql`(values (1)) as once`)
    return turn?.isMine === true ? run(tx) : null
  })
}
