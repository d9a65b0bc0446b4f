import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '@/server/base/database'
import { isDatabaseAway } from '@/server/base/outage'
import { createLifecycle, whenDatabaseAnswers } from '@/server/http/health'
import { temporaryFolder } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { createPostgres, missingPrograms } from './testing/fleet/servers'

type Line = { trouble?: string; message: string }

function start(databaseUrl: string | null, monotonic = () => performance.now()) {
  const lifecycle = createLifecycle()
  const lines: Line[] = []
  const logger = {
    warn: (details: { trouble?: string }, message: string) => void lines.push({ ...details, message }),
    info: (message: string) => void lines.push({ message }),
  }
  const parts = testServices({ env: { databaseUrl }, lifecycle, logger, clock: { monotonic } })
  return { lifecycle, lines, begin: (step: () => Promise<void>) => whenDatabaseAnswers(parts, step, 5) }
}

const failing = (code: string) => Object.assign(new Error('failed'), { code })

describe('at the start', () => {
  const network = ['EAI_AGAIN', 'EAI_FAIL', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EHOSTDOWN']
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', ...network, '57P03', '53300', '08006'])(
    '%s is waited for, and logged once a minute',
    async (code) => {
      let minutes = 0
      const { lifecycle, lines, begin } = start('postgres://x', () => minutes * 60_000)
      const phases: string[] = []
      let tries = 0
      await begin(async () => {
        phases.push(lifecycle.phase())
        tries += 1
        if (tries === 9) minutes = 1
        if (tries < 12) throw failing(code)
      })
      expect(lines[0]?.trouble).not.toMatch(/fails with/)
      const [first, ...later] = phases
      expect([first, new Set(later), lifecycle.phase()]).toEqual(['starting', new Set(['waiting']), 'starting'])
      expect(lines.map(({ message }) => message)).toEqual([
        'Intag waits for the database, and serves nobody yet',
        'Intag waits for the database, and serves nobody yet',
        'the database answers, and Intag goes on with its start',
      ])
    },
  )

  test.each([
    ['28P01', 'postgres://x'],
    ['3D000', 'postgres://x'],
    ['28000', 'postgres://x'],
    ['42501', 'postgres://x'],
    ['ECONNREFUSED', null],
  ])('%s of %s is a refusal at once', async (code, url) => {
    const { lifecycle, lines, begin } = start(url)
    await expect(begin(() => Promise.reject(failing(code)))).rejects.toThrow('failed')
    expect([lifecycle.phase(), lines]).toEqual(['starting', []])
  })
})

const canRun = !missingPrograms().includes('postgresql')
test.skipIf(canRun)('no PostgreSQL on this machine: one that comes late is not tested here', () => {
  expect(process.env.CI, 'under CI there must be a PostgreSQL').not.toBe('true')
})

describe.runIf(canRun)('a PostgreSQL that comes late', () => {
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
      const going = begin(async () => void (await database.ready()))
      await wait(200)
      expect(lifecycle.phase()).toBe('waiting')
      expect(lines[0]?.trouble).toContain('nothing listens there')
      await postgres.start()
      await going
      expect([lifecycle.phase(), lines.length]).toEqual(['starting', 2])

      const db = await database.ready()
      const cut = db.transaction(async (tx) => {
        await postgres.end('SIGKILL')
        await tx.execute(sql`select 1`)
      })
      await expect(cut).rejects.toSatisfy((error) => isDatabaseAway({ databaseUrl: postgres.url }, error))
      await expect.poll(() => postgres.start().then(() => 'up', String), { timeout: 20_000 }).toBe('up')
      await begin(async () => void (await db.execute(sql`select 1`)))

      const other = openDatabase({ databaseUrl: `${postgres.url}-other`, dataDir: folder }, quiet)
      await expect(begin(async () => void (await other.ready()))).rejects.toMatchObject({ code: '3D000' })
    },
  )
})
