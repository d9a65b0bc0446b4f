import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, type LeadKind } from '@/lib/contract/lead'
import { byNewest } from '@/reference-service/store'
import { bodyOf, invented, readBody, withThreeMore } from './invented-lists'
import { collectGarbage, type Cost, costOf, heldBy, median } from './measure'

type Row = { list: LeadKind; case: string; by: string } & Record<string, string | number>

const RUNS = 9
const MEGABYTE = 1e6

/** Reads the lists of tier XL. Costs are medians, stalls the worst; memory is what is held, with the body and without. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const list of inventBodies()) {
    for (const reader of readersOf(list.kind)) rows.push(await firstRow(list, reader))
    const before = await readBody(list.kind, list.first)
    for (const [change, body] of Object.entries(list.next))
      for (const reader of readersOf(list.kind))
        rows.push({ list: list.kind, case: change, by: reader.by, ...(await timed(() => reader.read(body, before))) })
  }
  return rows
}

type Reader = { by: string; read: (body: Buffer, before?: Awaited<ReturnType<typeof readBody>>) => unknown }

function readersOf(kind: LeadKind): Reader[] {
  return [
    { by: 'Intag', read: (body, before) => readBody(kind, body, before) },
    { by: 'JSON.parse, zod', read: (body) => parseWithZod(kind, body) },
  ]
}

async function firstRow({ kind, first }: ListBodies, { by, read }: Reader): Promise<Row> {
  const times = await timed(() => read(first))
  const { heap, outside } = await heldBy(() => read(first))
  const size = first.length
  const name = `first body, ${Number((size / MEGABYTE).toPrecision(3))} MB`
  return {
    list: kind,
    case: name,
    by,
    ...times,
    'memory, × body': 1 + (heap + outside) / size,
    'heap, × body': heap / size,
  }
}

async function timed(work: () => unknown): Promise<Record<string, number>> {
  const costs: Cost[] = []
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) costs.push(await costOf(work))
  return {
    ms: median(costs.map(({ ms }) => ms)),
    'processor ms': median(costs.map(({ cpuMs }) => cpuMs)),
    'longest stall ms': Math.max(...costs.map(({ stallMs }) => stallMs)),
    'longest stall, processor time ms': Math.max(...costs.map(({ stallCpuMs }) => stallCpuMs)),
  }
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
