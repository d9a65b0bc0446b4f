import 'server-only'
import { PGlite } from '@electric-sql/pglite'
import { migrated, type OpenDatabase } from '@/server/db/database'

/** A database of a test's own, with all tables and nothing in them, in memory. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  return migrated(await PGlite.create(), async () => {})
}
