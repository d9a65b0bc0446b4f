import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { makeViewer } from '@/server/access/viewer'
import { createActivity } from '@/server/activity/activity'
import { type OpenDatabase, openPglite, openPostgres } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { createLogger } from '@/server/logger'
import { changeTriage, undoLogged } from '@/server/triage/triage-jobs'
import { costOf, median, quantile } from './measure'

const LEADS = 75_000

export async function run(): Promise<object[]> {
  const folder = await mkdtemp(join(tmpdir(), 'intag-bench-'))
  const url = process.env.TEST_DATABASE_URL
  try {
    const rows = await measuredOn('PGlite', await openPglite(folder))
    if (url) rows.push(...(await measuredOn('PostgreSQL', await openPostgres(url, createLogger({ logLevel: 'warn' })))))
    return rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measuredOn(database: string, { db, close }: OpenDatabase) {
  const id = randomUUID()
  const person = { id, name: 'Kerstin Berg', email: `${id}@skola.example`, role: 'staff', schools: 'all' } as const
  await db.insert(users).values({ ...person, createdAt: new Date() })
  const connect = () => Promise.resolve(db)
  const parts = { connect, activity: createActivity({ connect, now: Date.now }) }
  const viewer = makeViewer(person)
  const leads = Array.from({ length: LEADS }, (): LeadRef => ({ kind: 'declaration-of-interest', id: randomUUID() }))
  const ask = () => db.execute(sql`select 1 from users where id = ${id}`)
  const measured = async <T>(work: string, make: () => Promise<T>) => {
    const { result, waits, ...cost } = await withRepeatedQuery(ask, make)
    const row = {
      database,
      work,
      leads: LEADS,
      ms: cost.ms,
      'processor ms': cost.cpuMs,
      'others wait, median ms': median(waits),
      'others wait, p95 ms': quantile(waits, 0.95),
      'others wait, longest ms': Math.max(...waits),
      'longest stall, processor time ms': cost.stallCpuMs,
    }
    return { row, result }
  }
  const change = await measured('set a status', () => changeTriage(parts, viewer, leads, { status: 'handled' }))
  const { logged } = change.result
  if (logged === null) throw new Error('nothing was changed')
  const undo = await measured('take it back', () => undoLogged(parts, viewer, logged, () => true))
  if (undo.result.restored.length !== LEADS) throw new Error('not everything was taken back')
  await close()
  return [change.row, undo.row]
}

async function withRepeatedQuery<T>(ask: () => Promise<unknown>, work: () => Promise<T>) {
  const waits: number[] = []
  const over = new AbortController()
  const asking = async () => {
    while (!over.signal.aborted) {
      const start = performance.now()
      await ask()
      waits.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const cost = await costOf(async () => {
    const others = asking()
    const result = await work()
    over.abort()
    await others
    return result
  })
  return { ...cost, waits }
}

const PAUSE_MS = 20
