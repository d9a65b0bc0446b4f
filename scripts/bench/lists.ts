import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { toSwedishSortKey } from '@/lib/leads/swedish-sort-key'
import { selectPage } from '@/lib/leads/select-page'
import { selectRows } from '@/lib/leads/select-rows'
import { unrestrictedContext } from '@/lib/leads/testing/leads'
import { inventLists, START, buildTable } from './invented-lists'
import { readClocks, median, quantile } from './measure'

const RUNS = 100

const REQUESTS: Record<string, { filter?: LeadFilter; sort?: Sort; offset?: number }> = {
  'first page': {},
  'page at 50 000': { offset: 50_000 },
  'two schools': { filter: { school: ['norra-gymnasiet', 'sodra-gymnasiet'] } },
  'status new, year 2027': { filter: { status: ['new'], year: [2027] } },
  'search "åsa öberg"': { filter: { q: 'åsa öberg' } },
  'search one letter': { filter: { q: 'a' } },
  'search a phone': { filter: { q: '070-174 06' } },
  'search nothing has': { filter: { q: 'zzqqxx' } },
  'by name, in the middle': { sort: 'name', offset: 37_000 },
}

/** Measures the processor time of a page of 50, without HTTP and access. */
export async function run(): Promise<object[]> {
  const table = await buildTable('declaration-of-interest', inventLists().declarationsOfInterest)
  const handled = { status: 'handled', assigneeId: null, updatedAt: START } as const
  const triage = new Map(table.id.filter((_, row) => row % 3 === 0).map((id) => [id, handled]))
  const context = { ...unrestrictedContext, triage }
  return Object.entries(REQUESTS).map(([name, { filter = {}, sort, offset = 0 }]) => {
    let matches = 0
    const answer = () => {
      const rows = selectRows(table, filter, context)
      const page = selectPage(table, rows, { sort, q: filter.q, offset, limit: 50, schoolSortKey: toSwedishSortKey })
      matches = rows.length
      return JSON.stringify(page.map((row) => table.getLead(row)))
    }
    const times = measureProcessorTimes(answer)
    return {
      request: name,
      matches,
      'median ms': median(times),
      'p95 ms': quantile(times, 0.95),
    }
  })
}

function measureProcessorTimes(work: () => unknown): number[] {
  return Array.from({ length: RUNS }, () => {
    const started = readClocks()
    work()
    return readClocks().cpuMs - started.cpuMs
  })
}
