import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '@/server/base/database'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { temporaryFolder } from '@/server/testing/folder'
import { createPooler, createPostgres, hasPrograms, type PoolMode } from './testing/fleet/servers'

describe.runIf(hasPrograms('postgresql', 'pgbouncer'))('through a pooler', () => {
  const folder = temporaryFolder()
  let postgres: Awaited<ReturnType<typeof createPostgres>>
  beforeAll(async () => {
    postgres = await createPostgres(folder)
    await postgres.start()
    return () => postgres.end('SIGQUIT')
  })

  async function poolerOf(mode: PoolMode) {
    const pooler = await createPooler(folder, postgres, mode)
    await pooler.start()
    onTestFinished(() => pooler.end('SIGKILL'))
    return () => {
      const database = openDatabase({ databaseUrl: pooler.url, dataDir: folder }, pino({ enabled: false }))
      onTestFinished(() => database.close())
      return database.connect()
    }
  }

  test('of transactions two instances start at once, and a paused process holds a lock for ten seconds', async () => {
    const open = await poolerOf('transaction')
    const [db] = await Promise.all([open(), open()])
    const limit = sql<string>`current_setting('idle_in_transaction_session_timeout')`
    const limits = await db.transaction((tx) => tx.select({ limit }).from(sql`(values (1)) as once`))
    expect(limits).toEqual([{ limit: '10s' }])
  })

  test('of statements nothing starts, and the reason names the modes that do', async () => {
    const open = await poolerOf('statement')
    const error: unknown = await open().catch((failure: unknown) => failure)
    expect(explainDatabaseError(error)).toContain('pool_mode')
  })
})
