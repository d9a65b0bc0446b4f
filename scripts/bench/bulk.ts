import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LeadRef } from '@/lib/contract/lead'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { createActivity } from '@/server/access/activity'
import { testServices } from '@/server/testing/services'
import { type OpenDatabase, openPglite, openPostgres } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { createLogger } from '@/server/base/logger'
import { restoreLogged } from '@/server/leads/restore-triage'
import { changeTriage } from '@/server/leads/write-triage'
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
  const people = ['Kerstin Berg', 'Eva Lund'].map((name) => {
    const id = randomUUID()
    return { id, name, email: `${id}@skola.example`, role: 'staff', schools: 'all' } as const
  })
  await db.insert(users).values(people.map((person) => ({ ...person, createdAt: new Date() })))
  const connect = () => Promise.resolve(db)
  const parts = testServices({ connect, activity: createActivity({ connect, now: Date.now }) })
  const [viewer, other] = people.map((person) => makeViewer(person)) as [Viewer, Viewer]
  const newLead = (): LeadRef => ({ kind: 'declaration-of-interest', id: randomUUID() })
  const leads = Array.from({ length: LEADS }, newLead)
  const decide = () => changeTriage(parts, other, [newLead()], { status: 'handled' })
  const measured = async <T>(work: string, make: () => Promise<T>) => {
    const { result, waits, ...cost } = await withDecisions(decide, make)
    const row = {
      database,
      work,
      leads: LEADS,
      ms: cost.ms,
      'processor ms': cost.cpuMs,
      'others decide, median ms': median(waits),
      'others decide, p95 ms': quantile(waits, 0.95),
      'others decide, longest ms': Math.max(...waits),
      'longest stall, processor time ms': cost.stallCpuMs,
    }
    return { row, result }
  }
  const change = await measured('set a status', () => changeTriage(parts, viewer, leads, { status: 'handled' }))
  const { logged } = change.result
  if (logged === null) throw new Error('nothing was changed')
  const undo = await measured('take it back', () => restoreLogged(parts, viewer, logged, () => true))
  if (undo.result.restored.length !== LEADS) throw new Error('not everything was taken back')
  await close()
  return [change.row, undo.row]
}

async function withDecisions<T>(decide: () => Promise<unknown>, work: () => Promise<T>) {
  const waits: number[] = []
  const over = new AbortController()
  const deciding = async () => {
    while (!over.signal.aborted) {
      const start = performance.now()
      await decide()
      waits.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const cost = await costOf(async () => {
    const others = deciding()
    const result = await work()
    over.abort()
    await others
    return result
  })
  return { ...cost, waits }
}

const PAUSE_MS = 20
