import 'server-only'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { lockFolder } from './folder-lock'
import { migrationsFolder } from './migrations-folder'
import type { OpenDatabase } from './open-database'
import * as schema from './schema'

/** PostgreSQL inside this process, its files under `dataDir/pg`. One process at a time may hold the folder. */
export async function openPglite(dataDir: string): Promise<OpenDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(join(dataDir, 'pg.lock'))
  try {
    const client = await PGlite.create(join(dataDir, 'pg'))
    return await migrated(client, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** For tests: the same, in memory. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  return migrated(await PGlite.create(), async () => {})
}

async function migrated(client: PGlite, unlock: () => Promise<void>): Promise<OpenDatabase> {
  const db = drizzle(client, { schema })
  try {
    await migrate(db, { migrationsFolder: migrationsFolder() })
  } catch (error) {
    await client.close()
    throw error
  }
  const close = async () => {
    if (!client.closed) await client.close()
    await unlock()
  }
  return { db, close }
}
