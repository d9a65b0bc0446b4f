import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, type LeadKind } from '@/lib/contract/lead'
import { compareNewestFirst } from '@/reference-service/store'
import { bodyOf, invented, readBody, withThreeMore } from './invented-lists'
import { collectGarbage, type Cost, costOf, median, memory } from './measure'

const RUNS = 9

const schemas = {
  'asked-question': z.object({ askedQuestions: z.array(askedQuestionSchema) }),
  'declaration-of-interest': z.object({ declarationsOfInterest: z.array(declarationOfInterestSchema) }),
}

/** Reads the lists of tier XL. Costs are medians, stalls the worst; memory is what is held. */
export async function run(): Promise<object[]> {
  const { declarationsOfInterest, askedQuestions } = invented()
  return [
    ...(await rowsOf('declaration-of-interest', declarationsOfInterest)),
    ...(await rowsOf('asked-question', askedQuestions)),
  ]
}

async function rowsOf(kind: LeadKind, unsorted: readonly { id: string; createdAt: string }[]): Promise<object[]> {
  const leads = unsorted.toSorted(compareNewestFirst)
  const first = bodyOf(kind, leads)
  const next = {
    'equal body': bodyOf(kind, leads),
    '3 new leads': bodyOf(kind, withThreeMore(leads)),
    '1 deleted in the middle': bodyOf(kind, leads.toSpliced(leads.length >>> 1, 1)),
  }
  const withZod = (body: Buffer) => schemas[kind].parse(JSON.parse(body.toString()))
  const name = `first body, ${(first.length / 1e6).toPrecision(3)} MB`
  const rows: object[] = []
  for (const [by, read] of Object.entries({
    Intag: () => readBody(kind, first),
    'JSON.parse, zod': () => withZod(first),
  })) {
    const times = await timed(read)
    // Intag keeps the body itself.
    const held = (by === 'Intag' ? 1 : 0) + (await heldBy(read)) / first.length
    rows.push({ list: kind, case: name, by, ...times, 'memory, × body': held })
  }
  const before = await readBody(kind, first)
  for (const [change, body] of Object.entries(next)) {
    rows.push({ list: kind, case: change, by: 'Intag', ...(await timed(() => readBody(kind, body, before))) })
    rows.push({ list: kind, case: change, by: 'JSON.parse, zod', ...(await timed(() => withZod(body))) })
  }
  return rows
}

async function timed(work: () => unknown): Promise<Record<string, number>> {
  const costs: Cost[] = []
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) costs.push(await costOf(work))
  return {
    ms: median(costs.map(({ ms }) => ms)),
    'processor ms': median(costs.map(({ cpuMs }) => cpuMs)),
    'longest stall, processor ms': Math.max(...costs.map(({ stallMs }) => stallMs)),
  }
}

/** Bytes. All code is compiled by now. */
async function heldBy(make: () => unknown): Promise<number> {
  await collectGarbage()
  const before = memory()
  const value = await make()
  await collectGarbage()
  const held = memory() - before
  return value === undefined ? 0 : held
}
