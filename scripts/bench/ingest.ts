import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, type LeadKind } from '@/lib/contract/lead'
import { inventData } from '@/reference-service/invented/data'
import { byNewest } from '@/reference-service/store'
import { type IngestedList, readLeads } from '@/server/feed/ingest'
import type { LeadOfKind } from '@/server/upstream/lead-records'
import { collectGarbage, type Cost, costOf, heldBy, median, nextTurn } from './measure'

/** One figure, beside what JSON.parse and zod come to on the same bytes in the same run. */
type Row = { list: LeadKind; case: string; measure: string; unit: string; ours: number; parseAndZod: number }

const RUNS = 9
const MEGABYTE = 1e6

/** Reads the lists of tier XL: first body, and what may follow on it. Costs are medians, stalls the worst of all runs. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const list of inventBodies()) {
    rows.push(...(await timed(list, 'first body', list.first, false)))
    for (const [change, body] of Object.entries(list.next)) rows.push(...(await timed(list, change, body, true)))
    rows.push(...(await memory(list)))
  }
  return rows
}

async function timed(list: ListBodies, name: string, body: Buffer, isNext: boolean): Promise<Row[]> {
  const before = isNext ? await readOnce(list.kind, list.first) : undefined
  const ours: Cost[] = []
  const theirs: Cost[] = []
  // One after the other: the garbage of the one must not be collected at the cost of the other.
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) ours.push(await costOf(() => readOnce(list.kind, body, before)))
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) theirs.push(await costOf(() => parseWithZod(list, body)))
  const row = (measure: string, of: (costs: Cost[]) => number): Row => {
    return { list: list.kind, case: name, measure, unit: 'ms', ours: of(ours), parseAndZod: of(theirs) }
  }
  return [
    row('cost', (costs) => median(costs.map(({ ms }) => ms))),
    row('processor time', (costs) => median(costs.map(({ cpuMs }) => cpuMs))),
    row('longest stall', (costs) => Math.max(...costs.map(({ stallMs }) => stallMs))),
    row('longest stall, processor time', (costs) => Math.max(...costs.map(({ stallCpuMs }) => stallCpuMs))),
  ]
}

/** Against the bytes of the body, which are part of what we hold; after parsing nobody needs them. */
async function memory(list: ListBodies): Promise<Row[]> {
  const { kind, first } = list
  const size = first.length
  const ours = await heldBy(() => readOnce(kind, first))
  const theirs = await heldBy(() => parseWithZod(list, first))
  const row = (measure: string, unit: string, our: number, their: number): Row => {
    return { list: kind, case: 'memory', measure, unit, ours: our, parseAndZod: their }
  }
  return [
    row('size of the body', 'MB', size / MEGABYTE, size / MEGABYTE),
    row(
      'all, with the body',
      '× body',
      (size + ours.heap + ours.outside) / size,
      (theirs.heap + theirs.outside) / size,
    ),
    row('heap alone', '× body', ours.heap / size, theirs.heap / size),
  ]
}

type OneList = IngestedList<LeadOfKind[LeadKind]>

async function readOnce(kind: LeadKind, body: Buffer, previous?: OneList): Promise<OneList> {
  const reading = await readLeads({ kind, body, previous, yield: nextTurn })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list
}

const schemas = {
  askedQuestions: z.object({ askedQuestions: z.array(askedQuestionSchema) }),
  declarationsOfInterest: z.object({ declarationsOfInterest: z.array(declarationOfInterestSchema) }),
}

function parseWithZod({ field }: ListBodies, body: Buffer): unknown {
  return schemas[field].parse(JSON.parse(body.toString()))
}

type Field = 'askedQuestions' | 'declarationsOfInterest'
type Change = 'equal body' | '3 new leads' | '1 deleted in the middle'

/** One list of the service at tier XL, and the bodies that may follow on it. */
type ListBodies = { kind: LeadKind; field: Field; first: Buffer; next: Record<Change, Buffer> }

type Lead = { id: string; createdAt: string }

function inventBodies(): ListBodies[] {
  const data = inventData({ tier: 'XL', seed: 7, now: Date.UTC(2026, 10, 20, 8) })
  return [
    bodiesOf('declaration-of-interest', 'declarationsOfInterest', data.declarationsOfInterest),
    bodiesOf('asked-question', 'askedQuestions', data.askedQuestions),
  ]
}

function bodiesOf(kind: LeadKind, field: Field, unsorted: readonly Lead[]): ListBodies {
  const leads = unsorted.toSorted(byNewest)
  const body = (list: readonly Lead[]) => Buffer.from(JSON.stringify({ [field]: list }))
  const arrivals = leads.slice(0, 3).map((lead, at) => {
    return { ...lead, id: `${lead.id}-again`, createdAt: new Date(Date.UTC(2026, 10, 20, 8, 3 - at)).toISOString() }
  })
  const next = {
    'equal body': body(leads),
    '3 new leads': body([...arrivals, ...leads]),
    '1 deleted in the middle': body(leads.toSpliced(leads.length >>> 1, 1)),
  }
  return { kind, field, first: body(leads), next }
}
