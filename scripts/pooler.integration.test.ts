import { sql } from 'drizzle-orm'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { databaseReport } from '@/server/run/doctor'
import { connectPostgres, openDatabase } from '@/server/base/database'
import { isDatabaseAway } from '@/server/base/outage'
import { databaseTrouble } from '@/server/base/trouble'
import { loadEnv } from '@/server/base/env'
import { createSeal } from '@/server/base/seal'
import { temporaryFolder } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { createPooler, createPostgres, missingPrograms, type PoolMode, poolerProgram } from './testing/fleet/servers'

const canRun = poolerProgram() !== null && !missingPrograms().includes('postgresql')
test.skipIf(canRun)('no PgBouncer and PostgreSQL on this machine: a pooler between them is not tested here', () => {
  expect(process.env.CI, 'under CI there must be both').not.toBe('true')
})

describe.runIf(canRun)('through a pooler', () => {
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
    return pooler.url
  }
  function start(databaseUrl: string) {
    const database = openDatabase({ databaseUrl, dataDir: folder }, quiet)
    onTestFinished(() => database.close())
    return database.ready()
  }
  async function doctorSays(databaseUrl: string): Promise<string> {
    const { db, close } = connectPostgres(databaseUrl, quiet)
    const env = { ...loadEnv({ DATA_DIR: folder }), databaseUrl }
    const seal = createSeal({ current: env.dataKey, previous: null })
    return databaseReport(testServices({ env, seal, now: Date.now }), db)
      .catch((error: Error) => error.message)
      .finally(close)
  }

  test.each(['session', 'transaction'] as const)(
    'of %ss two instances start at once, and the console finds nothing wrong',
    async (mode) => {
      const url = await poolerOf(mode)
      const [db] = await Promise.all([start(url), start(url)])
      const readLimit = sql<string>`current_setting('idle_in_transaction_session_timeout')`
      const limits = await db.transaction((tx) => tx.select({ limit: readLimit }).from(sql`(values (1)) as once`))
      expect(limits, 'how long a paused process may hold a lock').toEqual([{ limit: '10s' }])
      const says = await doctorSays(url)
      expect(says).toContain('tables of this release')
      expect(says.includes('its pooler keeps LISTEN')).toBe(mode === 'transaction')
    },
  )

  test('of statements the start is refused, and so says the console; no connection is lost by it', async () => {
    const url = await poolerOf('statement')
    const says = 'its pooler allows no transactions: set pool_mode to session or transaction there'
    const error: unknown = await start(url).catch((failure: unknown) => failure)
    expect([isDatabaseAway({ databaseUrl: url }, error), databaseTrouble(error)]).toEqual([false, says])
    expect(await doctorSays(url)).toBe(`cannot be used: ${says}`)

    const { db, close } = connectPostgres(url, quiet)
    onTestFinished(close)
    for (let tries = 0; tries < 12; tries += 1) await expect(db.transaction(async () => {})).rejects.toThrow('begin')
    await db.execute(sql`select 1`)
  })

  test('a start-up parameter in the address is named where it is refused', async () => {
    const url = `${await poolerOf('session')}?options=-c%20search_path%3Dpublic`
    const error: unknown = await start(url).catch((failure: unknown) => failure)
    expect(isDatabaseAway({ databaseUrl: url }, error)).toBe(false)
    expect(databaseTrouble(error)).toContain('start-up parameter options')
    expect(await doctorSays(url)).toBe(`cannot be used: ${databaseTrouble(error)}`)
  })
})
