import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '@/server/base/database'
import { temporaryFolder } from '@/server/testing/folder'
import { createPooler, createPostgres, hasPrograms } from './testing/fleet/servers'

const folder = temporaryFolder()

test.runIf(hasPrograms('postgresql', 'pgbouncer'))(
  'behind a pooler of transactions two instances start at once, and a paused process holds a lock for ten seconds',
  async () => {
    const postgres = await createPostgres(folder)
    await postgres.start()
    onTestFinished(() => postgres.end('SIGQUIT'))
    const pooler = await createPooler(folder, postgres)
    await pooler.start()
    onTestFinished(() => pooler.end('SIGKILL'))
    const openInstance = () => {
      const database = openDatabase({ databaseUrl: pooler.url, dataDir: folder })
      onTestFinished(() => database.close())
      return database.connect()
    }
    const [db] = await Promise.all([openInstance(), openInstance()])
    const limit = sql<string>`current_setting('idle_in_transaction_session_timeout')`
    const limits = await db.transaction((tx) => tx.select({ limit }).from(sql`(values (1)) as once`))
    expect(limits).toEqual([{ limit: '10s' }])
  },
)
