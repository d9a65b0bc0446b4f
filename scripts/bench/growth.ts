import { PAGE_SIZE } from '@/lib/api/leads'
import { countChoices } from '@/lib/leads/count-choices'
import { workFlags } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { triageColumns } from '@/lib/leads/triage-columns'
import { allIsWork } from '@/lib/leads/work-rules'
import type { DeclarationOfInterest } from '@/reference-service/specification'
import { byNewest } from '@/reference-service/store'
import { EVERYBODY, onePage, type Request } from './lists'
import { bodyOf, invented, readBody, tableOf, withThreeMore } from './invented-lists'
import { collectGarbage, costOf, heldBy, median, processorTimes, slopeOf } from './measure'

const SIZES = [1_000, 10_000, 100_000, 250_000] as const
type Size = `${(typeof SIZES)[number]} leads`

type Row = { cost: string; of: string; unit: string } & Record<Size, number> & { power: number; verdict: string }

const RUNS = 15
const DECLARATIONS = 0.75
const OWN_LEADS = 300
const MAX_GROWTH = { everybody: 1.15, 'one school': 0.15 }

/** No cost may grow faster than the list, or with leads out of scope. */
export async function run(): Promise<Row[]> {
  const data = invented('Stress')
  const leads = data.declarationsOfInterest.toSorted(byNewest)
  const own = data.highSchools[9]?.id ?? ''
  const measured: Cost[][] = []
  for (const size of SIZES) {
    const list = sample(leads, own, size * DECLARATIONS)
    measured.push([...(await costsOfReading(list)), ...(await queryCosts(list, own))])
  }
  const [first = []] = measured
  return first.map(({ cost, of, unit }, at) =>
    rowOf(
      { cost, of, unit },
      measured.map((costs) => costs[at]?.value ?? 0),
    ),
  )
}

type Who = keyof typeof MAX_GROWTH
type Cost = { cost: string; of: Who; unit: string; value: number }

function rowOf({ cost, of, unit }: Omit<Cost, 'value'>, values: readonly number[]): Row {
  const points = SIZES.map((size, at) => ({ x: Math.log(size), y: Math.log(values[at] ?? 0) })).slice(1)
  const power = slopeOf(points).slope
  const sizes = Object.fromEntries(SIZES.map((size, at) => [`${size} leads`, values[at] ?? 0])) as Record<Size, number>
  const verdict = power <= MAX_GROWTH[of] ? 'fine' : of === 'everybody' ? 'faster than linear' : 'grows with the hidden'
  return { cost, of, unit, ...sizes, power, verdict }
}

function sample(leads: readonly DeclarationOfInterest[], school: string, size: number): DeclarationOfInterest[] {
  const own = leads.filter(({ highSchoolId }) => highSchoolId === school).slice(0, Math.min(OWN_LEADS, size))
  const others = leads.filter(({ highSchoolId }) => highSchoolId !== school).slice(0, size - own.length)
  return [...own, ...others].toSorted(byNewest)
}

const KIND = 'declaration-of-interest'

async function costsOfReading(leads: readonly DeclarationOfInterest[]): Promise<Cost[]> {
  const before = await readBody(KIND, bodyOf(KIND, leads))
  const next = bodyOf(KIND, withThreeMore(leads))
  const times: number[] = []
  for (let count = 0; count < RUNS; count++) {
    await collectGarbage()
    times.push((await costOf(() => readBody(KIND, next, before))).cpuMs)
  }
  const { body } = before
  const held = await heldBy(() => readBody(KIND, body))
  const whole = (held.heap + held.outside + body.length) / 1e6
  return [
    { cost: 'a refresh with 3 new leads', of: 'everybody', unit: 'ms', value: median(times) },
    { cost: 'memory of the list', of: 'everybody', unit: 'MB', value: whole },
  ]
}

const REQUESTS: Request[] = [
  { name: 'first page', filter: {} },
  { name: 'first page by name', filter: {}, sort: 'name' },
  { name: 'search of a name', filter: { q: 'anna' } },
  { name: 'search of nothing', filter: { q: 'zzqqxx' } },
]

async function queryCosts(leads: readonly DeclarationOfInterest[], school: string): Promise<Cost[]> {
  const table = await tableOf(KIND, leads)
  const one: SelectionContext = { ...EVERYBODY, schools: new Set([school]) }
  const known = () => {
    const copy = { ...table }
    selectRows(copy, {}, one)
    return copy
  }
  const first = typicalMs(() => ({ ...table }), known)
  return [
    { cost: 'the schools of a new snapshot', of: 'everybody', unit: 'ms', value: first },
    ...costsFor(known, EVERYBODY, 'everybody'),
    ...costsFor(known, one, 'one school'),
  ]
}

function costsFor(fresh: () => LeadTable, context: SelectionContext, of: Who): Cost[] {
  const columns = triageColumns(fresh(), context.triage, (entry) => workFlags(entry, allIsWork))
  let bytes = 0
  const pages = REQUESTS.map((request) => {
    const value = typicalMs(fresh, (table) => {
      const { text } = onePage(table, context, request, PAGE_SIZE)
      if (request === REQUESTS[0]) bytes = text.length
    })
    return { cost: request.name, of, unit: 'ms', value }
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

function typicalMs(fresh: () => LeadTable, work: (table: LeadTable) => void): number {
  const make = () => Array.from({ length: AT_ONCE }, fresh)
  return processorTimes(SHORT_RUNS, (_, tables) => tables?.forEach(work), make)['median ms'] / AT_ONCE
}
