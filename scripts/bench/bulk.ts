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

type Row = {
  database: string
  work: string
  leads: number
  ms: number
  'processor ms': number
  'others wait, median ms': number
  'others wait, p95 ms': number
  'others wait, longest ms': number
  'longest stall, processor time ms': number
}

const LEADS = 75_000

/**
 * What it takes to set the status of all declarations of tier XL at once, and to take that back, while somebody else asks the
 * database for one row all the time. PGlite on disk; PostgreSQL too when TEST_DATABASE_URL names one.
 */
export async function run(): Promise<Row[]> {
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

async function measuredOn(database: string, { db, close }: OpenDatabase): Promise<Row[]> {
  const id = randomUUID()
  const person = { id, name: 'Kerstin Berg', email: `${id}@skola.example`, role: 'staff', schools: 'all' } as const
  await db.insert(users).values({ ...person, createdAt: new Date() })
  const connect = () => Promise.resolve(db)
  const parts = { connect, activity: createActivity({ connect, now: Date.now }) }
  const viewer = makeViewer(person)
  const leads = Array.from({ length: LEADS }, (): LeadRef => ({ kind: 'declaration-of-interest', id: randomUUID() }))
  const ask = () => db.execute(sql`select 1 from users where id = ${id}`)
  const measured = async <T>(work: string, make: () => Promise<T>) => {
    const { result, waits, ...cost } = await besides(ask, make)
    const row: Row = {
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

/** Does the work while another asks again and again, one question at a time; how long each of them waited, ms. */
async function besides<T>(ask: () => Promise<unknown>, work: () => Promise<T>) {
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
