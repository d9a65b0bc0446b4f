import { allIsWork } from '@/lib/leads/work-rules'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { swedishSortKey } from '@/lib/leads/comparable-text'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows } from '@/lib/leads/page-rows'
import { noTopics, type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { invented, START, tableOf } from './invented-lists'
import { processorTimes } from './measure'

type Row = { request: string; matches: number; 'median ms': number; 'p95 ms': number; 'first time ms': number }

const RUNS = 100
const RUNS_OF_FIRST = 20

type Request = { name: string; filter: LeadFilter; sort?: Sort; offset?: number }
const REQUESTS: Request[] = [
  { name: 'first page', filter: {} },
  { name: 'page at 50 000', filter: {}, offset: 50_000 },
  { name: 'two schools', filter: { school: ['norra-gymnasiet', 'sodra-gymnasiet'] } },
  { name: 'status new, year 2027', filter: { status: ['new'], year: [2027] } },
  { name: 'search "asa oberg"', filter: { q: 'asa oberg' } },
  { name: 'search "åsa öberg"', filter: { q: 'åsa öberg' } },
  { name: 'search one letter', filter: { q: 'a' } },
  { name: 'search one letter of å ä ö', filter: { q: 'ö' } },
  { name: 'search inside of all', filter: { q: 'xample' } },
  { name: 'search inside of all, by name', filter: { q: 'xample' }, sort: 'name' },
  { name: 'search a phone', filter: { q: '070-174 06' } },
  { name: 'search a name and a phone', filter: { q: 'åsa 070-1' } },
  { name: 'search nothing has', filter: { q: 'zzqqxx' } },
  { name: 'by name, first page', filter: {}, sort: 'name' },
  { name: 'by name, in the middle', filter: {}, sort: 'name', offset: 37_000 },
  { name: 'by school', filter: {}, sort: 'school' },
  { name: 'by year', filter: {}, sort: 'year' },
]

export async function run(): Promise<Row[]> {
  const table = await tableOf('declaration-of-interest', invented().declarationsOfInterest)
  const handled = { status: 'handled', assigneeId: null, updatedAt: START } as const
  const triage = new Map(table.id.filter((_, row) => row % 3 === 0).map((id) => [id, handled]))
  return REQUESTS.map((request) => {
    let matches = 0
    const ask = (asked: LeadTable) => (matches = onePage(asked, { ...EVERYBODY, triage }, request, 50).matches)
    // Caches belong to a table: on a copy every request is the first.
    const first = processorTimes(RUNS_OF_FIRST, () => ask({ ...table }))
    const times = processorTimes(RUNS, () => ask(table))
    return { request: request.name, matches, ...times, 'first time ms': first['median ms'] }
  })
}

const EVERYBODY: SelectionContext = {
  schools: 'all',
  viewerId: 'me',
  lastVisitAt: null,
  work: allIsWork,
  triage: new Map(),
  topics: noTopics,
}

function onePage(table: LeadTable, context: SelectionContext, request: Request, limit: number) {
  const { filter, sort, offset = 0 } = request
  const rows = selectRows(table, filter, context)
  const page = pageRows(table, rows, { sort, q: filter.q, offset, limit, schoolSortKey: swedishSortKey })
  return { matches: rows.length, text: JSON.stringify(page.map((row) => table.lead(row))) }
}
