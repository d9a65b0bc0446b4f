import type { PGlite } from '@electric-sql/pglite'
import { gte } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sessions } from '@/server/base/access-schema'
import { NO_LINK } from '@/server/access/users'
import { ensurePrivateFolder, giveToOwner, lockFolder } from '@/server/base/data-folder'
import { createPglite, type Db, migrate } from '@/server/base/database'
import { findLastMigration } from '@/server/base/migrations'
import * as schema from '@/server/base/schema'

/** Returns a gzipped archive of PGlite's folder at one moment. Queries wait meanwhile. */
export async function dumpDatabase(db: Db): Promise<Buffer> {
  // Drizzle exposes the client that it was created with.
  const { $client: client } = db as Db & { $client: PGlite }
  await client.exec('checkpoint')
  return Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer())
}

/** Replaces the database by the restored one when that is complete, so that a failure changes nothing. Returns the path of the old one. */
export async function restoreBackup(
  file: Buffer,
  options: { dataDir: string; replace: boolean; now: () => number; claimRestored: (db: Db) => Promise<void> },
): Promise<string | null> {
  const { dataDir, replace, now, claimRestored } = options
  ensurePrivateFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  const [folder, restored] = [join(dataDir, 'pg'), join(dataDir, 'pg.restored')]
  const refuseFile = (cause?: unknown): never => {
    throw new Error('This is no backup of Intag, or only a part of one.', { cause })
  }
  try {
    const exists = existsSync(folder)
    if (exists && !replace) throw new Error(`There is a database in ${dataDir}. With --replace the backup replaces it.`)
    const sent = exists ? await readRecentRequests(folder, now) : []
    await rm(restored, { recursive: true, force: true })
    if (file.includes('intag-backup 1 '))
      throw new Error('This is a backup of Intag 0.3 or before: restore it with that version, and update then.')
    // The output of `npm run` may precede the file, which begins with the mark of gzip (RFC 1952, 2.3.1).
    const start = file.indexOf(Buffer.from([0x1f, 0x8b, 8]))
    const tar = await promisify(gunzip)(file.subarray(start)).catch(refuseFile)
    const loadDataDir = new Blob([new Uint8Array(tar)])
    const client = await createPglite({ dataDir: restored, loadDataDir }).catch(refuseFile)
    try {
      if ((await findLastMigration(drizzle(client, { schema }))) === null) refuseFile()
      const db = await migrate(client)
      await claimRestored(db)
      // Old sessions and links would let in users who lost their access since. Requests count for an hour after they are sent.
      await db.delete(sessions)
      await db.update(schema.users).set(NO_LINK)
      if (sent.length > 0) await db.insert(schema.upstreamRequests).values(sent)
    } finally {
      if (!client.closed) await client.close()
    }
    const replaced = join(dataDir, `pg.before-${new Date(now()).toISOString().replaceAll(':', '')}`)
    if (exists) await rename(folder, replaced)
    await rename(restored, folder)
    giveToOwner(dataDir)
    return exists ? replaced : null
  } finally {
    await rm(restored, { recursive: true, force: true })
    await unlock()
  }
}

/** Reads the requests that still count against the limit. A damaged database has none. */
async function readRecentRequests(dataDir: string, now: () => number) {
  const client = await createPglite({ dataDir }).catch(() => null)
  if (client === null) return []
  const { sentAt, finishedAt, purpose } = schema.upstreamRequests
  const recent = drizzle(client, { schema })
    .select({ sentAt, finishedAt, purpose })
    .from(schema.upstreamRequests)
    .where(gte(sentAt, now() - 3_600_000))
  return recent.catch(() => []).finally(() => client.close())
}
