import { allIsWork } from '@/lib/leads/work-rules'
import { PAGE_SIZE } from '@/lib/api/leads'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { swedishSortKey } from '@/lib/leads/comparable-text'
import { countChoices } from '@/lib/leads/count-choices'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows } from '@/lib/leads/page-rows'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { workFlags } from '@/lib/leads/count-work'
import { triageColumns } from '@/lib/leads/triage-columns'
import { inventData } from '@/reference-service/invented/data'
import type { DeclarationOfInterest } from '@/reference-service/specification'
import { byNewest } from '@/reference-service/store'
import { type IngestedList, readLeads } from '@/server/feed/ingest'
import type { LeadOfKind } from '@/server/upstream/lead-records'
import { collectGarbage, costOf, heldBy, median, nextTurn, slopeOf } from './measure'

const SIZES = [1_000, 10_000, 100_000, 250_000] as const
type Size = `${(typeof SIZES)[number]} leads`

/** One cost at each size of both lists together, and the power of the size with which it grows. */
type Row = { cost: string; of: string; unit: string } & Record<Size, number> & { power: number; verdict: string }

const START = Date.UTC(2026, 10, 20, 8)
const RUNS = 15
/** Three quarters of all leads are declarations, which the bench reads. */
const DECLARATIONS = 0.75
/** What stays the same for the person of one school, however many leads others have. */
const OWN_LEADS = 300
/** A little above what is measured twice on a shared machine. */
const MOST = { everybody: 1.15, 'one school': 0.15 }

/** Each cost over lists of 1 000 to 250 000 leads: none may grow faster than the lists, or with leads out of reach. */
export async function run(): Promise<Row[]> {
  const data = inventData({ tier: 'Stress', seed: 7, now: START })
  const leads = data.declarationsOfInterest.toSorted(byNewest)
  const own = data.highSchools[9]?.id ?? ''
  const measured: Cost[][] = []
  for (const size of SIZES) {
    const list = sample(leads, own, size * DECLARATIONS)
    measured.push([...(await costsOfReading(list)), ...(await costsOfAsking(list, own))])
  }
  const [first = []] = measured
  return first.map(({ cost, of, unit }, at) =>
    rowOf(
      { cost, of, unit },
      measured.map((costs) => costs[at]?.value ?? 0),
    ),
  )
}

type Who = keyof typeof MOST
type Cost = { cost: string; of: Who; unit: string; value: number }

function rowOf({ cost, of, unit }: Omit<Cost, 'value'>, values: readonly number[]): Row {
  // The smallest is left out: there it is the fixed costs that count.
  const points = SIZES.map((size, at) => ({ x: Math.log(size), y: Math.log(values[at] ?? 0) })).slice(1)
  const power = slopeOf(points).slope
  const sizes = Object.fromEntries(SIZES.map((size, at) => [`${size} leads`, values[at] ?? 0])) as Record<Size, number>
  const verdict = power <= MOST[of] ? 'fine' : of === 'everybody' ? 'faster than linear' : 'grows with the hidden'
  return { cost, of, unit, ...sizes, power, verdict }
}

/** The newest leads, among them always the same number of one school. */
function sample(leads: readonly DeclarationOfInterest[], school: string, size: number): DeclarationOfInterest[] {
  const own = leads.filter(({ highSchoolId }) => highSchoolId === school).slice(0, Math.min(OWN_LEADS, size))
  const others = leads.filter(({ highSchoolId }) => highSchoolId !== school).slice(0, size - own.length)
  return [...own, ...others].toSorted(byNewest)
}

type List = IngestedList<LeadOfKind['declaration-of-interest']>

async function read(leads: readonly object[], previous?: List): Promise<List> {
  const body = Buffer.from(JSON.stringify({ declarationsOfInterest: leads }))
  return readBody(body, previous)
}

async function readBody(body: Buffer, previous?: List): Promise<List> {
  const reading = await readLeads({ kind: 'declaration-of-interest', body, previous, yield: nextTurn })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list
}

async function costsOfReading(leads: readonly DeclarationOfInterest[]): Promise<Cost[]> {
  const before = await read(leads)
  const arrivals = leads.slice(0, 3).map((lead, at) => ({
    ...lead,
    id: `${lead.id}-again`,
    createdAt: new Date(START + 60_000 * (3 - at)).toISOString(),
  }))
  const next = Buffer.from(JSON.stringify({ declarationsOfInterest: [...arrivals, ...leads] }))
  const times: number[] = []
  for (let count = 0; count < RUNS; count++) {
    // What the run before has left would else be collected in some runs and not in others.
    await collectGarbage()
    times.push((await costOf(() => readBody(next, before))).cpuMs)
  }
  const { body } = before
  const held = await heldBy(() => readBody(body))
  const whole = (held.heap + held.outside + body.length) / 1e6
  return [
    { cost: 'a refresh with 3 new leads', of: 'everybody', unit: 'ms', value: median(times) },
    { cost: 'memory of the list', of: 'everybody', unit: 'MB', value: whole },
  ]
}

const REQUESTS: { name: string; filter: LeadFilter; sort?: Sort }[] = [
  { name: 'first page', filter: {} },
  { name: 'first page by name', filter: {}, sort: 'name' },
  { name: 'search of a name', filter: { q: 'anna' } },
  { name: 'search of nothing', filter: { q: 'zzqqxx' } },
]

async function costsOfAsking(leads: readonly DeclarationOfInterest[], school: string): Promise<Cost[]> {
  const { table } = await read(leads)
  const triage: SelectionContext['triage'] = new Map()
  const everybody: SelectionContext = { schools: 'all', viewerId: 'me', lastVisitAt: null, work: allIsWork, triage }
  const one: SelectionContext = { ...everybody, schools: new Set([school]) }
  // The rows of each school are found once for all, by whoever first asks a new snapshot.
  const known = () => {
    const copy = { ...table }
    selectRows(copy, {}, one)
    return copy
  }
  const first = typicalMs(() => ({ ...table }), known)
  return [
    { cost: 'the schools of a new snapshot', of: 'everybody', unit: 'ms', value: first },
    ...costsFor(known, everybody, 'everybody'),
    ...costsFor(known, one, 'one school'),
  ]
}

/** `fresh` makes a table for each time, or what is kept of an earlier request would answer. */
function costsFor(fresh: () => LeadTable, context: SelectionContext, of: Who): Cost[] {
  const columns = triageColumns(fresh(), context.triage, (entry) => workFlags(entry, allIsWork))
  let bytes = 0
  const pages = REQUESTS.map(({ name, filter, sort }) => {
    const value = typicalMs(fresh, (table) => {
      const rows = selectRows(table, filter, context)
      const page = { sort, q: filter.q, offset: 0, limit: PAGE_SIZE, schoolSortKey: swedishSortKey }
      const text = JSON.stringify(pageRows(table, rows, page).map((row) => table.lead(row)))
      if (name === 'first page') bytes = text.length
    })
    return { cost: name, of, unit: 'ms', value }
  })
  const counts = typicalMs(fresh, (table) => void countChoices(table, {}, context, columns))
  return [
    ...pages,
    { cost: 'numbers of the filters', of, unit: 'ms', value: counts },
    { cost: 'size of the first page', of, unit: 'kB', value: bytes / 1000 },
  ]
}

const AT_ONCE = 10
const SHORT_RUNS = 31

/** Processor time; several at once, because a single one may be shorter than what the clock of the system tells apart. */
function typicalMs(fresh: () => LeadTable, work: (table: LeadTable) => void): number {
  const times: number[] = []
  for (let count = 0; count < SHORT_RUNS; count++) {
    const tables = Array.from({ length: AT_ONCE }, fresh)
    const started = process.cpuUsage()
    for (const table of tables) work(table)
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000 / AT_ONCE)
  }
  return median(times)
}
