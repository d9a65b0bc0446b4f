import { inventData } from '@/reference-service/data/invent'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows } from '@/lib/leads/page-rows'
import { selectRows, type SelectionContext } from '@/lib/leads/select-rows'
import { swedishSortKey } from '@/lib/leads/swedish-sort-key'
import { readLeads } from '@/server/feed/ingest/read-leads'

export type Row = { request: string; matches: number; 'median ms': number; 'p95 ms': number }

const RUNS = 100
const START = Date.UTC(2026, 10, 20, 8)

type Request = { name: string; filter: LeadFilter; sort?: Sort; offset?: number }
const REQUESTS: Request[] = [
  { name: 'first page', filter: {} },
  { name: 'page at 50 000', filter: {}, offset: 50_000 },
  { name: 'two schools', filter: { school: ['norra-gymnasiet', 'sodra-gymnasiet'] } },
  { name: 'status new, year 2027', filter: { status: ['new'], year: [2027] } },
  { name: 'search "asa oberg"', filter: { q: 'asa oberg' } },
  { name: 'search one letter', filter: { q: 'a' } },
  { name: 'search a phone', filter: { q: '070-174 06' } },
  { name: 'search nothing has', filter: { q: 'zzqqxx' } },
  { name: 'by name, first page', filter: {}, sort: 'name' },
  { name: 'by name, in the middle', filter: {}, sort: 'name', offset: 37_000 },
  { name: 'by school', filter: {}, sort: 'school' },
  { name: 'by year', filter: {}, sort: 'year' },
]

/** What a page of the 75 000 declarations of tier XL costs the server, from filter to JSON; processor time. */
export async function run(): Promise<Row[]> {
  const { declarationsOfInterest } = inventData({ tier: 'XL', seed: 7, now: START })
  const body = Buffer.from(JSON.stringify({ declarationsOfInterest }))
  const reading = await readLeads({ kind: 'declaration-of-interest', body, yield: () => Promise.resolve() })
  if (!reading.ok) throw new Error(reading.detail)
  const { table } = reading.list
  const handled = { status: 'handled', assigneeId: null, updatedAt: START } as const
  const triage = new Map(table.id.filter((_, row) => row % 3 === 0).map((id) => [id, handled]))
  const context: SelectionContext = { schools: 'all', viewerId: 'me', lastVisitAt: null, triage }
  return REQUESTS.map((request) => measured(table, context, request))
}

function measured(table: LeadTable, context: SelectionContext, request: Request): Row {
  const { name, filter, sort = '-createdAt', offset = 0 } = request
  const times: number[] = []
  let matches = 0
  for (let count = 0; count < RUNS; count++) {
    const started = process.cpuUsage()
    const rows = selectRows(table, filter, context)
    const page = pageRows(table, rows, { sort, offset, limit: 50, schoolSortKey: swedishSortKey })
    JSON.stringify(page.map((row) => table.lead(row)))
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000)
    matches = rows.length
  }
  times.sort((a, b) => a - b)
  return { request: name, matches, 'median ms': times[RUNS / 2] ?? 0, 'p95 ms': times[Math.floor(RUNS * 0.95)] ?? 0 }
}
