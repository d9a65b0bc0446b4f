import 'server-only'
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
import { createPglite, type Db, findLastMigration, migrate } from '@/server/base/database'
import { giveToOwner, lockFolder, ensurePrivateFolder } from '@/server/base/data-folder'
import * as schema from '@/server/base/schema'

/** PGlite's folder as of one moment, packed. Queries wait meanwhile. */
export async function dumpDatabase(db: Db): Promise<Buffer> {
  // Drizzle keeps the client that it was made with.
  const { $client: client } = db as Db & { $client: PGlite }
  await client.exec('checkpoint')
  return Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer())
}

/**
 * Unpacks a backup beside the database, brings it up to date, and only then puts it in its place: whatever fails before
 * leaves everything as it was. `accept` refuses what must not be here, and says so in the log. Answers where the database of
 * before lies, if there was one.
 */
export async function restoreBackup(
  file: Buffer,
  options: { dataDir: string; replace: boolean; now: () => number; claimRestored: (db: Db) => Promise<void> },
): Promise<string | null> {
  const { dataDir, replace, now, claimRestored: accept } = options
  ensurePrivateFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  const [folder, restored] = [join(dataDir, 'pg'), join(dataDir, 'pg.restored')]
  const refuseFile = (cause?: unknown): never => {
    throw new Error('This is no backup of Intag, or only a part of one.', { cause })
  }
  try {
    const isThere = existsSync(folder)
    if (isThere && !replace)
      throw new Error(`There is a database in ${dataDir}. With --replace the backup replaces it.`)
    const sent = isThere ? await readRecentRequests(folder, now) : []
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
      await accept(db)
      // Old sessions and links would let in users who lost their access since; requests count for an hour after they are sent.
      await db.delete(sessions)
      await db.update(schema.users).set(NO_LINK)
      if (sent.length > 0) await db.insert(schema.upstreamRequests).values(sent)
    } finally {
      if (!client.closed) await client.close()
    }
    const before = join(dataDir, `pg.before-${new Date(now()).toISOString().replaceAll(':', '')}`)
    if (isThere) await rename(folder, before)
    await rename(restored, folder)
    giveToOwner(dataDir)
    return isThere ? before : null
  } finally {
    await rm(restored, { recursive: true, force: true })
    await unlock()
  }
}

/** The requests of the last hour; none of a damaged database, which may be why a backup is restored. */
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
