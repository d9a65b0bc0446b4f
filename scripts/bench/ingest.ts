import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, type LeadKind } from '@/lib/contract/lead'
import { byNewest } from '@/reference-service/store'
import { bodyOf, invented, readBody, withThreeMore } from './invented-lists'
import { collectGarbage, type Cost, costOf, heldBy, median } from './measure'

type Row = { list: LeadKind; case: string; measure: string; unit: string; ours: number; parseAndZod: number }

const RUNS = 9
const MEGABYTE = 1e6

/** Reads the lists of tier XL. Costs are medians, stalls the worst. */
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
  const before = isNext ? await readBody(list.kind, list.first) : undefined
  const ours: Cost[] = []
  const theirs: Cost[] = []
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) ours.push(await costOf(() => readBody(list.kind, body, before)))
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) theirs.push(await costOf(() => parseWithZod(list.kind, body)))
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

async function memory(list: ListBodies): Promise<Row[]> {
  const { kind, first } = list
  const size = first.length
  const ours = await heldBy(() => readBody(kind, first))
  const theirs = await heldBy(() => parseWithZod(list.kind, first))
  const row = (measure: string, unit: string, our: number, their: number): Row => {
    return { list: kind, case: 'memory', measure, unit, ours: our, parseAndZod: their }
  }
  return [
    row('size of the body', 'MB', size / MEGABYTE, size / MEGABYTE),
    row('all, with the body', '× body', 1 + (ours.heap + ours.outside) / size, (theirs.heap + theirs.outside) / size),
    row('heap alone', '× body', ours.heap / size, theirs.heap / size),
  ]
}

const schemas = {
  'asked-question': z.object({ askedQuestions: z.array(askedQuestionSchema) }),
  'declaration-of-interest': z.object({ declarationsOfInterest: z.array(declarationOfInterestSchema) }),
}

function parseWithZod(kind: LeadKind, body: Buffer): unknown {
  return schemas[kind].parse(JSON.parse(body.toString()))
}

type ListBodies = { kind: LeadKind; first: Buffer; next: Record<string, Buffer> }

function inventBodies(): ListBodies[] {
  const data = invented()
  return [
    bodiesOf('declaration-of-interest', data.declarationsOfInterest),
    bodiesOf('asked-question', data.askedQuestions),
  ]
}

function bodiesOf(kind: LeadKind, unsorted: readonly { id: string; createdAt: string }[]): ListBodies {
  const leads = unsorted.toSorted(byNewest)
  const next = {
    'equal body': bodyOf(kind, leads),
    '3 new leads': bodyOf(kind, withThreeMore(leads)),
    '1 deleted in the middle': bodyOf(kind, leads.toSpliced(leads.length >>> 1, 1)),
  }
  return { kind, first: bodyOf(kind, leads), next }
}
