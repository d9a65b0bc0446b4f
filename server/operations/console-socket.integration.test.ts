import { stat, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import type { Reservation } from '@/server/upstream/budget'
import { temporaryFolder } from '@/server/testing/folder'
import { askRunning, NobodyAnswersError, openConsole } from './console-socket'
import { openRunning } from './testing/running-console'

const dataDir = temporaryFolder()
const dataKeys = { current: new Uint8Array(32).fill(4), previous: null }
let database: OpenDatabase
let reservation: Reservation = { ok: false, retryAtMs: 0 }
let server: Server | null = null
beforeAll(async () => {
  database = await openPgliteInMemory()
  await writeFile(join(dataDir, 'console.sock'), '')
  server = await openRunning({ connect: async () => database.db, dataDir, dataKeys, reserve: async () => reservation })
})
afterAll(async () => {
  server?.close()
  await database.close()
})

test('only the owner may ask', async () => {
  expect((await stat(join(dataDir, 'console.sock'))).mode & 0o777).toBe(0o600)
})

test('the process that has the database open answers its facts and when the lists were fetched', async () => {
  const { pid, database: facts, lists } = await askRunning(dataDir, 'facts')
  expect([pid, facts.missing, facts.mayCreate]).toEqual([process.pid, 0, true])
  expect(Math.abs(facts.aheadMs)).toBeLessThan(1_000)
  expect(lists).toMatchObject({ schools: { fetchedAt: '2026-11-23T00:00:00.000Z', problem: null } })
})

test('it reserves a place for a request of the console, and holds it as long as an abandoned one', async () => {
  expect(await askRunning(dataDir, 'place')).toEqual({ ok: true, granted: false })
  const finished: (string | undefined)[] = []
  reservation = { ok: true, finish: async (answer) => void finished.push(answer) }
  expect(await askRunning(dataDir, 'place')).toEqual({ ok: true, granted: true })
  expect(finished).toEqual(['abandoned'])
})

test('an error is answered without its details, and the next question is answered', async () => {
  await writeFile(join(dataDir, 'backups-before'), '')
  await expect(askRunning(dataDir, 'anything' as 'facts')).rejects.toThrow(/another release/)
  expect((await askRunning(dataDir, 'facts')).ok).toBe(true)
})

test('without a process nothing answers; with PostgreSQL there is no socket', async () => {
  await expect(askRunning(join(dataDir, 'elsewhere'), 'facts')).rejects.toThrow(NobodyAnswersError)
  expect(openConsole({ env: { dataDir, databaseUrl: 'postgres://x' } } as never)).toBeNull()
})
