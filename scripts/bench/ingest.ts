import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, type LeadKind } from '@/lib/contract/lead'
import { compareNewestFirst } from '@/reference-service/store'
import { createBody, inventLists, readBody, addThreeLeads } from './invented-lists'
import { collectGarbage, type Cost, measureCost, median, readMemory } from './measure'

const RUNS = 9

const SCHEMAS = {
  'asked-question': z.object({ askedQuestions: z.array(askedQuestionSchema) }),
  'declaration-of-interest': z.object({ declarationsOfInterest: z.array(declarationOfInterestSchema) }),
}

/** Measures the reading of the lists of tier XL. Costs are medians, stalls the worst, and memory is what stays. */
export async function run(): Promise<object[]> {
  const { declarationsOfInterest, askedQuestions } = inventLists()
  return [
    ...(await measureList('declaration-of-interest', declarationsOfInterest)),
    ...(await measureList('asked-question', askedQuestions)),
  ]
}

async function measureList(kind: LeadKind, unsorted: readonly { id: string; createdAt: string }[]): Promise<object[]> {
  const leads = unsorted.toSorted(compareNewestFirst)
  const first = createBody(kind, leads)
  const next = {
    'equal body': createBody(kind, leads),
    '3 new leads': createBody(kind, addThreeLeads(leads)),
    '1 deleted in the middle': createBody(kind, leads.toSpliced(leads.length >>> 1, 1)),
  }
  const withZod = (body: Buffer) => SCHEMAS[kind].parse(JSON.parse(body.toString()))
  const name = `first body, ${(first.length / 1e6).toPrecision(3)} MB`
  const rows: object[] = []
  for (const [program, read] of Object.entries({
    Intag: () => readBody(kind, first),
    'JSON.parse, zod': () => withZod(first),
  })) {
    const times = await measureCosts(read)
    // Intag also keeps the body itself.
    const kept = (program === 'Intag' ? 1 : 0) + (await measureMemory(read)) / first.length
    rows.push({ list: kind, case: name, program, ...times, 'memory, × body': kept })
  }
  const before = await readBody(kind, first)
  for (const [change, body] of Object.entries(next)) {
    const row = { list: kind, case: change }
    rows.push({ ...row, program: 'Intag', ...(await measureCosts(() => readBody(kind, body, before))) })
    rows.push({ ...row, program: 'JSON.parse, zod', ...(await measureCosts(() => withZod(body))) })
  }
  return rows
}

async function measureCosts(work: () => unknown): Promise<Record<string, number>> {
  const costs: Cost[] = []
  await collectGarbage()
  for (let count = 0; count < RUNS; count++) costs.push(await measureCost(work))
  return {
    ms: median(costs.map(({ ms }) => ms)),
    'processor ms': median(costs.map(({ cpuMs }) => cpuMs)),
    'longest stall, processor ms': Math.max(...costs.map(({ stallMs }) => stallMs)),
  }
}

/** Measures in bytes what stays in memory. All code is compiled by now. */
async function measureMemory(make: () => unknown): Promise<number> {
  await collectGarbage()
  const before = readMemory()
  const value = await make()
  await collectGarbage()
  const kept = readMemory() - before
  return value === undefined ? 0 : kept
}
