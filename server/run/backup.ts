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
import { createPglite, type Db, migrate, type OpenDatabase } from '@/server/base/database'
import { closeAll, lockFolder, makePrivate } from '@/server/base/data-folder'
import { migrationOf, newestMigration } from '@/server/base/migrations'
import * as schema from '@/server/base/schema'

/** PGlite's folder as of one moment, packed. Queries wait meanwhile. */
export async function dumpDatabase(db: Db): Promise<Buffer> {
  // Drizzle keeps the client that it was made with.
  const { $client: client } = db as Db & { $client: PGlite }
  await client.exec('checkpoint')
  return Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer())
}

type Restoring = {
  dataDir: string
  replace: boolean
  now: () => number
  /** Refuses what must not be here, and says so in the log. */
  accept: (db: Db) => Promise<void>
}

/**
 * Unpacks a backup beside the database, brings it up to date, and only then puts it in its place: whatever fails before
 * leaves everything as it was. Answers where the database of before lies, if there was one.
 */
export async function restoreBackup(file: Buffer, { dataDir, replace, now, accept }: Restoring) {
  makePrivate(dataDir)
  const unlock = await lockFolder(join(dataDir, 'folder.lock'))
  const [folder, restored] = [join(dataDir, 'pg'), join(dataDir, 'pg.restored')]
  try {
    const isThere = existsSync(folder)
    if (isThere && !replace)
      throw new Error(`There is a database in ${dataDir}. With --replace the backup replaces it.`)
    const sent = isThere ? await requestsIn(folder, now) : []
    await rm(restored, { recursive: true, force: true })
    const { db, close } = await unpack(file, restored)
    try {
      await accept(db)
      // They would let in who was let out since, and what was sent to the service counts until it is an hour old.
      await db.delete(sessions)
      await db.update(schema.users).set(NO_LINK)
      if (sent.length > 0) await db.insert(schema.upstreamRequests).values(sent)
    } finally {
      await close()
    }
    const before = join(dataDir, `pg.before-${new Date(now()).toISOString().replaceAll(':', '')}`)
    if (isThere) await rename(folder, before)
    await rename(restored, folder)
    closeAll(dataDir)
    return isThere ? before : null
  } finally {
    await rm(restored, { recursive: true, force: true })
    await unlock()
  }
}

const GZIP = Buffer.from([0x1f, 0x8b, 8])

async function unpack(file: Buffer, dataDir: string): Promise<OpenDatabase> {
  if (file.includes('intag-backup 1 '))
    throw new Error('This is a backup of Intag 0.3 or before: restore it with that version, and update then.')
  const noBackup = (cause?: unknown): never => {
    throw new Error('This is no backup of Intag, or only a part of one.', { cause })
  }
  // Before it may stand what `npm run` prints.
  const tar = await promisify(gunzip)(file.subarray(file.indexOf(GZIP))).catch(noBackup)
  const client = await createPglite({ dataDir, loadDataDir: new Blob([new Uint8Array(tar)]) }).catch(noBackup)
  try {
    const migration = (await migrationOf(drizzle(client, { schema }))) ?? noBackup()
    if (migration > newestMigration())
      throw new Error('This is a backup of a newer Intag: restore it with that version, or a later one.')
  } catch (error) {
    await client.close()
    throw error
  }
  return migrate(client, async () => {})
}

const HOUR_MS = 3_600_000

/** Nothing is known of a database that is damaged, which may be why a backup is restored. */
async function requestsIn(dataDir: string, now: () => number) {
  const client = await createPglite({ dataDir }).catch(() => null)
  if (client === null) return []
  const { sentAt, finishedAt, purpose } = schema.upstreamRequests
  const recent = drizzle(client, { schema })
    .select({ sentAt, finishedAt, purpose })
    .from(schema.upstreamRequests)
    .where(gte(sentAt, now() - HOUR_MS))
  return recent.catch(() => []).finally(() => client.close())
}
