import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '@/server/base/database'
import { mayDatabaseRecover } from '@/server/base/database-outage'
import { createLifecycle, retryDuringOutage } from '@/server/http/lifecycle'
import { temporaryFolder } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { createPostgres, hasPrograms } from './testing/fleet/servers'

type Line = { trouble?: string; message: string }

function start(databaseUrl: string) {
  const lifecycle = createLifecycle()
  const lines: Line[] = []
  const logger = {
    warn: (details: { trouble?: string }, message: string) => void lines.push({ ...details, message }),
    info: (message: string) => void lines.push({ message }),
  }
  const parts = testServices({ env: { databaseUrl }, lifecycle, logger })
  return { lifecycle, lines, begin: (step: () => Promise<void>) => retryDuringOutage(parts, step, 5) }
}

describe.runIf(hasPrograms('postgresql'))('a PostgreSQL that comes late', () => {
  const folder = temporaryFolder()

  test(
    'is waited for, migrated and used; killed inside a transaction it is waited for again; an unknown database in it is a refusal',
    { timeout: 60_000 },
    async () => {
      const postgres = await createPostgres(folder)
      onTestFinished(() => postgres.end('SIGQUIT'))
      const { lifecycle, lines, begin } = start(postgres.url)
      const quiet = pino({ enabled: false })
      const database = openDatabase({ databaseUrl: postgres.url, dataDir: folder }, quiet)
      onTestFinished(() => database.close())
      const going = begin(async () => void (await database.connect()))
      await wait(200)
      expect(lifecycle.getPhase()).toBe('waiting')
      expect(lines[0]?.trouble).toContain('nothing listens there')
      await postgres.start()
      await going
      expect([lifecycle.getPhase(), lines.length]).toEqual(['starting', 2])

      const db = await database.connect()
      const cut = db.transaction(async (tx) => {
        await postgres.end('SIGKILL')
        await tx.execute(sql`select 1`)
      })
      await expect(cut).rejects.toSatisfy((error) => mayDatabaseRecover({ databaseUrl: postgres.url }, error))
      await expect.poll(() => postgres.start().then(() => 'up', String), { timeout: 20_000 }).toBe('up')
      await begin(async () => void (await db.execute(sql`select 1`)))

      const other = openDatabase({ databaseUrl: `${postgres.url}-other`, dataDir: folder }, quiet)
      await expect(begin(async () => void (await other.connect()))).rejects.toMatchObject({ code: '3D000' })
    },
  )
})
