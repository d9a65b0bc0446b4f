import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createErrorResponse } from '@/server/http/responses'
import { temporaryFolders } from '@/server/testing/folder'
import { programs } from '@/server/testing/program'
import { FolderInUseError, lockFolder } from './data-folder'
import { connectPostgres, type Db, openDatabase, openPglite } from './database'
import { upstreamRequests } from './schema'
import { placePglite } from './testing/in-memory'

const run = programs()
const newFolder = temporaryFolders()

describe('PGlite', { timeout: 60_000 }, () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = newFolder()
    await placePglite(dataDir)
  })

  test('a process killed in the middle of writing loses its lock, and nothing that was acknowledged', async () => {
    const { kill, lines } = run(
      `import { openPglite } from './server/base/database.ts'
      import { upstreamRequests } from './server/base/schema.ts'
      const { db } = await openPglite(process.argv[1])
      for (let sentAt = 1; sentAt <= 100_000; sentAt += 1) {
        await db.insert(upstreamRequests).values({ sentAt, purpose: 'test' })
        console.log(sentAt)
      }`,
      { args: [dataDir] },
    )
    await expect.poll(() => lines.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(20)
    const second = openDatabase({ databaseUrl: null, dataDir })
    await expect(second.connect()).rejects.toThrow(FolderInUseError)
    await kill()

    const rows = await (await second.connect()).select().from(upstreamRequests)
    await second.close()
    expect(rows.length).toBeGreaterThanOrEqual(lines.length)
    expect(rows.map(({ sentAt }) => sentAt)).toEqual(rows.map((_, index) => index + 1))
  })

  test('a database that does not close gives its lock back', async () => {
    vi.spyOn(PGlite.prototype, 'close').mockRejectedValueOnce(new Error('not closed'))
    await expect((await openPglite(dataDir)).close()).rejects.toThrow('not closed')
    ;(await lockFolder(dataDir))()
  })
})

const url = process.env.TEST_DATABASE_URL

describe.skipIf(!url)('a connection lost inside a transaction', () => {
  const terminate = (db: Db, pid: number) => db.execute(sql`select pg_terminate_backend(${pid})`)
  const waitUntilGone = (db: Db, pid: number) =>
    expect.poll(() => db.$count(sql`pg_stat_activity`, sql`pid = ${pid}`), { interval: 10 }).toBe(0)

  const WAYS = {
    'ended by the operator': terminate,
    'ended in the middle of a query': async (db: Db, pid: number, tx: Db) => {
      const sleeping = tx.execute(sql`select pg_sleep(60)`)
      await terminate(db, pid)
      await sleeping
    },
    'idle for too long': (_: Db, __: number, tx: Db) =>
      tx.execute(sql`set local idle_in_transaction_session_timeout = 20`),
  }
  test.each(Object.entries(WAYS))('%s ends no process, is an outage, and costs no connection', async (_, lose) => {
    const { db, close } = connectPostgres(url ?? '')
    onTestFinished(close)
    for (let times = 0; times < 12; times += 1) {
      const losing = db.transaction(async (tx) => {
        const [{ pid } = { pid: 0 }] = await tx
          .select({ pid: sql<number>`pg_backend_pid()` })
          .from(sql`(values (1)) as once`)
        await lose(db, pid, tx)
        await waitUntilGone(db, pid)
        await tx.execute(sql`select 1`)
      })
      const error: unknown = await losing.catch((failure: unknown) => failure)
      expect(createErrorResponse(error, { isChange: true }).status).toBe(503)
    }
    await db.transaction((tx) => tx.execute(sql`select 1`))
  })
})
