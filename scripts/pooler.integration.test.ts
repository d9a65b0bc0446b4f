import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectPostgres, openDatabase } from '@/server/base/database'
import { loadEnv } from '@/server/base/env'
import { createSeal } from '@/server/base/seal'
import { checkDatabase } from '@/server/run/doctor'
import { temporaryFolder } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { createPooler, createPostgres, hasPrograms, type PoolMode } from './testing/fleet/servers'

describe.runIf(hasPrograms('postgresql', 'pgbouncer'))('through a pooler', () => {
  const folder = temporaryFolder()
  let postgres: Awaited<ReturnType<typeof createPostgres>>
  beforeAll(async () => {
    postgres = await createPostgres(folder)
    await postgres.start()
    return () => postgres.end('SIGQUIT')
  })

  async function startPooler(mode: PoolMode) {
    const pooler = await createPooler(folder, postgres, mode)
    await pooler.start()
    onTestFinished(() => pooler.end('SIGKILL'))
    const env = { ...loadEnv({ DATA_DIR: folder }), databaseUrl: pooler.url }
    const { db, close } = connectPostgres(pooler.url)
    onTestFinished(close)
    return {
      db,
      startInstance() {
        const database = openDatabase(env)
        onTestFinished(() => database.close())
        return database.connect()
      },
      askDoctor: () => checkDatabase(testServices({ env, seal: createSeal(env.dataKeys), now: Date.now }), db),
    }
  }

  test.each(['session', 'transaction'] as const)(
    'of %ss two instances start at once, and the doctor finds nothing wrong',
    async (mode) => {
      const { startInstance, askDoctor } = await startPooler(mode)
      const [db] = await Promise.all([startInstance(), startInstance()])
      const limit = sql<string>`current_setting('idle_in_transaction_session_timeout')`
      const limits = await db.transaction((tx) => tx.select({ limit }).from(sql`(values (1)) as once`))
      expect(limits, 'how long a paused process may hold a lock').toEqual([{ limit: '10s' }])
      expect(await askDoctor()).toContain('tables of this release')
    },
  )

  test('of statements nothing starts, the doctor names the modes that do, and no connection is lost by it', async () => {
    const { db, startInstance, askDoctor } = await startPooler('statement')
    await expect(startInstance()).rejects.toThrow('begin')
    await expect(askDoctor()).rejects.toThrow('pool_mode')
    for (let tries = 0; tries < 12; tries += 1) await expect(db.transaction(async () => {})).rejects.toThrow('begin')
    await db.execute(sql`select 1`)
  })
})
