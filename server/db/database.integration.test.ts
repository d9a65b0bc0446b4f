import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUseError } from './folder-lock'
import { openDatabase } from './database'
import { upstreamRequests } from './schema'
import { placePglite } from './testing/in-memory'

const logger = pino({ enabled: false })
let root: string
let dataDir: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'intag-db-'))
  dataDir = join(root, 'data')
  await placePglite(dataDir)
})
afterEach(() => rm(root, { recursive: true }))

test(
  'a process killed in the middle of writing loses nothing it was told is written, and its lock',
  { timeout: 60_000 },
  async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=react-server', '--import', 'tsx', 'server/db/testing/writer-process.ts', dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let written = 0
    for await (const line of createInterface({ input: child.stdout })) {
      written = Number(line)
      if (written === 20) break
    }
    const second = openDatabase({ databaseUrl: null, dataDir }, logger)
    await expect(second.ready()).rejects.toThrow(FolderInUseError)
    child.kill('SIGKILL')
    await once(child, 'exit')

    const rows = await (await second.ready()).select().from(upstreamRequests)
    await second.close()
    expect(written).toBe(20)
    expect(rows.length).toBeGreaterThanOrEqual(20)
    expect(rows.map(({ sentAt }) => sentAt)).toEqual(rows.map((_, index) => index + 1))
  },
)

test('opens once for all who ask, and again after it was closed', async () => {
  const database = openDatabase({ databaseUrl: null, dataDir }, logger)
  const [one, two] = await Promise.all([database.ready(), database.ready()])
  expect(one).toBe(two)
  await database.close()
  await database.close()
  expect(await database.ready()).not.toBe(one)
  await database.close()
})

test('PGlite holds few buffers of its own: a database of years does not need 128 MB of this process', async () => {
  const database = openDatabase({ databaseUrl: null, dataDir }, logger)
  const db = await database.ready()
  const [row] = await db
    .select({ buffers: sql<string>`current_setting('shared_buffers')` })
    .from(sql`(select 1) as one`)
  await database.close()
  expect(row?.buffers).toBe('16MB')
})

test('an unreachable PostgreSQL is an error at each use, not for ever', async () => {
  const database = openDatabase({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', dataDir }, logger)
  const failures = [await database.ready().catch(String), await database.ready().catch(String)]
  expect(failures).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('ECONNREFUSED')])
  await database.close()
})
