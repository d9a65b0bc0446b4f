import { inventData } from '@/reference-service/data/invent'
import { epochDay } from '@/lib/interest/epoch-day'
import type { InterestSelection } from '@/lib/interest/interest-counts'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageEntry } from '@/lib/leads/triage-of'
import { readLeads } from '@/server/feed/ingest/read-leads'
import { createInterestCache, type InterestQuestion } from '@/server/interest/interest-cache'

export type Row = { count: string; 'median ms': number; 'p95 ms': number; 'reach ms': number }

const RUNS = 40
const REACH_MS = 50
const START = Date.UTC(2026, 10, 20, 8)
const EVERYTHING: InterestSelection = { schools: null, from: -Infinity, to: Infinity }

/** What the numbers of interest cost over tier XL, a third of its leads handled: the first time, and from the cache. */
export async function run(): Promise<Row[]> {
  const data = inventData({ tier: 'XL', seed: 7, now: START })
  const declarations = await tableOf('declaration-of-interest', { declarationsOfInterest: data.declarationsOfInterest })
  const questions = await tableOf('asked-question', { askedQuestions: data.askedQuestions })
  const everyone: InterestQuestion = {
    declarations,
    questions,
    reach: 'all',
    selection: EVERYTHING,
    triage: { declarations: thirdHandled(declarations), questions: thirdHandled(questions) },
  }
  const some = new Set(data.highSchools.slice(0, 20).map(({ id }) => id))
  const kept = createInterestCache()
  kept(everyone)
  return [
    measured('a new snapshot, all schools', () => createInterestCache()(everyone)),
    measured('a new snapshot, a reach of 20 schools', () => createInterestCache()({ ...everyone, reach: some })),
    measured('the same snapshot, other schools and a period', (at) =>
      kept({ ...everyone, selection: { schools: some, from: epochDay('2026-01-01') + at, to: Infinity } }),
    ),
    measured('the same question again', () => kept(everyone)),
  ]
}

async function tableOf(kind: 'declaration-of-interest' | 'asked-question', lists: object): Promise<LeadTable> {
  const body = Buffer.from(JSON.stringify(lists))
  const reading = await readLeads({ kind, body, yield: () => Promise.resolve() })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list.table
}

function thirdHandled(table: LeadTable): ReadonlyMap<string, TriageEntry> {
  return new Map(
    table.id.flatMap((id, row) => {
      const updatedAt = (table.createdAt[row] ?? 0) + (row % 100) * 3_600_000
      return row % 3 === 0 ? [[id, { status: 'handled', assigneeId: null, updatedAt }]] : []
    }),
  )
}

function measured(count: string, work: (at: number) => unknown): Row {
  const times: number[] = []
  for (let at = 0; at < RUNS; at++) {
    const started = process.cpuUsage()
    work(at)
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  return {
    count,
    'median ms': times[RUNS / 2] ?? 0,
    'p95 ms': times[Math.floor(RUNS * 0.95)] ?? 0,
    'reach ms': REACH_MS,
  }
}
