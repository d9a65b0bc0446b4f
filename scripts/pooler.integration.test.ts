import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectPostgres, openDatabase } from '@/server/base/database'
import { isDatabaseFault } from '@/server/base/database-outage'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { loadEnv } from '@/server/base/env'
import { createSeal } from '@/server/base/seal'
import { checkDatabase } from '@/server/run/doctor'
import { temporaryFolder } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { createPooler, createPostgres, hasPrograms, type PoolMode } from './testing/fleet/servers'

describe.runIf(hasPrograms('postgresql', 'pgbouncer'))('through a pooler', () => {
  const folder = temporaryFolder()
  const quiet = pino({ enabled: false })
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
    const { url } = pooler
    const connected = connectPostgres(url, quiet)
    onTestFinished(connected.close)
    const env = { ...loadEnv({ DATA_DIR: folder }), databaseUrl: url }
    const seal = createSeal(env.dataKeys)
    return {
      db: connected.db,
      start() {
        const database = openDatabase({ databaseUrl: url, dataDir: folder }, quiet)
        onTestFinished(() => database.close())
        return database.connect()
      },
      doctorSays: () =>
        checkDatabase(testServices({ env, seal, now: Date.now }), connected.db).catch((error: Error) => error.message),
    }
  }

  test.each(['session', 'transaction'] as const)(
    'of %ss two instances start at once, and the console finds nothing wrong',
    async (mode) => {
      const { start, doctorSays } = await poolerOf(mode)
      const [db] = await Promise.all([start(), start()])
      const readLimit = sql<string>`current_setting('idle_in_transaction_session_timeout')`
      const limits = await db.transaction((tx) => tx.select({ limit: readLimit }).from(sql`(values (1)) as once`))
      expect(limits, 'how long a paused process may hold a lock').toEqual([{ limit: '10s' }])
      expect(await doctorSays()).toContain('tables of this release')
    },
  )

  test('of statements nothing starts, and the console says which modes it needs; no connection is lost by it', async () => {
    const { start, doctorSays, db } = await poolerOf('statement')
    const error: unknown = await start().catch((failure: unknown) => failure)
    expect([isDatabaseFault(error), explainDatabaseError(error)]).toEqual([true, expect.stringContaining('pool_mode')])
    expect(await doctorSays()).toBe(`cannot be used: ${explainDatabaseError(error)}`)
    for (let tries = 0; tries < 12; tries += 1) await expect(db.transaction(async () => {})).rejects.toThrow('begin')
    await db.execute(sql`select 1`)
  })
})
