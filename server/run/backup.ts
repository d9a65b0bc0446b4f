import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { NO_PASSWORD_LINK } from '@/server/access/users'
import { sessions } from '@/server/base/access-schema'
import { ensurePrivateFolder, giveToOwner, lockFolder } from '@/server/base/data-folder'
import { createPglite, type Db, migrateClient } from '@/server/base/database'
import { findLastMigration } from '@/server/base/migrations'
import * as schema from '@/server/base/schema'
import { createDatabaseBudgetStore } from '@/server/feed/budget-store'
import type { StoredRequest } from '@/server/feed/request-log'

/** Returns a gzipped archive of PGlite's folder, as of one moment. Queries wait meanwhile. */
export async function dumpDatabase(db: Db): Promise<Buffer> {
  // Drizzle's type does not declare the client that it exposes.
  const { $client: client } = db as Db & { $client: PGlite }
  await client.exec('checkpoint')
  return Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer())
}

/** Replaces the database once the restored one is complete. Returns the old one's path, or null if there was none. */
export async function restoreBackup(
  backup: Buffer,
  options: { dataDir: string; replace: boolean; now: () => number; claimRestored: (db: Db) => Promise<void> },
): Promise<string | null> {
  const { dataDir, replace, now, claimRestored } = options
  ensurePrivateFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  const currentDir = join(dataDir, 'pg')
  const restoredDir = join(dataDir, 'pg.restored')
  const refuseBackup = (cause?: unknown): never => {
    throw new Error('This is no backup of Intag, or only a part of one.', { cause })
  }
  try {
    const hasDatabase = existsSync(currentDir)
    if (hasDatabase && !replace)
      throw new Error(`There is a database in ${dataDir}. With --replace the backup replaces it.`)
    const sentRequests = hasDatabase ? await readSentRequests(currentDir) : []
    await rm(restoredDir, { recursive: true, force: true })
    if (backup.includes('intag-backup 1 '))
      throw new Error('This is a backup of Intag 0.3 or before: restore it with that version, and update then.')
    // The output of `npm run` may precede the file, which begins with the mark of gzip (RFC 1952, 2.3.1).
    const gzipStart = backup.indexOf(Buffer.from([0x1f, 0x8b, 8]))
    const tar = await promisify(gunzip)(backup.subarray(gzipStart)).catch(refuseBackup)
    const loadDataDir = new Blob([new Uint8Array(tar)])
    const client = await createPglite({ dataDir: restoredDir, loadDataDir }).catch(refuseBackup)
    try {
      if ((await findLastMigration(drizzle(client, { schema }))) === null) refuseBackup()
      const db = await migrateClient(client)
      await claimRestored(db)
      // Sessions and links of the backup would let in users who have lost their access since.
      await db.delete(sessions)
      await db.update(schema.users).set(NO_PASSWORD_LINK)
      // Requests sent since the backup count against the limit. Those that it also holds have the same ids.
      await createDatabaseBudgetStore(async () => db).update(() => ({ upserts: sentRequests, deletedIds: [] }))
    } finally {
      if (!client.closed) await client.close()
    }
    const previousDir = join(dataDir, `pg.before-${new Date(now()).toISOString().replaceAll(':', '')}`)
    if (hasDatabase) await rename(currentDir, previousDir)
    await rename(restoredDir, currentDir)
    giveToOwner(dataDir)
    return hasDatabase ? previousDir : null
  } finally {
    await rm(restoredDir, { recursive: true, force: true })
    await unlock()
  }
}

/** Reads the log of requests, with its clock. A damaged database yields none. */
async function readSentRequests(dataDir: string): Promise<StoredRequest[]> {
  const client = await createPglite({ dataDir }).catch(() => null)
  if (client === null) return []
  let sentRequests: StoredRequest[] = []
  const reading = createDatabaseBudgetStore(async () => drizzle(client, { schema })).update(({ requests }) => {
    sentRequests = requests
    return { upserts: [], deletedIds: [] }
  })
  await reading.catch(() => {}).finally(() => client.close())
  return sentRequests
}
