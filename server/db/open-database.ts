import 'server-only'
import type { Db } from './db'
import { openPglite } from './open-pglite'
import { openPostgres } from './open-postgres'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'

export type OpenDatabase = { db: Db; close(): Promise<void> }
export type Database = {
  /** Opened and migrated at the first call; a failure is not kept, so the next call tries again. */
  ready(): Promise<Db>
  /** Idempotent; afterwards the folder is free for another process. */
  close(): Promise<void>
}

/** PostgreSQL when DATABASE_URL is set, else PGlite under DATA_DIR. Opens nothing until it is asked for. */
export function openDatabase(env: Pick<Env, 'databaseUrl' | 'dataDir'>, logger: Logger): Database {
  const { databaseUrl } = env
  const open = () => (databaseUrl === null ? openPglite(env.dataDir) : openPostgres(databaseUrl, logger))
  let opening: Promise<OpenDatabase> | null = null
  return {
    async ready() {
      opening ??= open()
      const current = opening
      try {
        return (await current).db
      } catch (error) {
        if (opening === current) opening = null
        throw error
      }
    },
    async close() {
      const current = opening
      opening = null
      await (await current?.catch(() => null))?.close()
    },
  }
}
