import 'server-only'
import { inArray } from 'drizzle-orm'
import type { Db } from '@/server/db/db'
import { users } from '@/server/db/schema'

/** The names of these people; who no longer exists is missing. */
export async function userNames(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, wanted))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
