import { asc, like, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { isEarlier } from '@/lib/leads/work-rules'
import { createArrivals, slowingDown } from '@/reference-service/invented/arrivals'
import { inventData, type Tier, tiers } from '@/reference-service/invented/data'
import { createStore } from '@/reference-service/store'
import { inParts } from '@/server/db/database'
import { triage, users } from '@/server/db/schema'
import { type Begun, countWork, openDemo, TUESDAY } from './testing/open-demo'

const SATURDAY = Date.parse('2026-11-21T12:00:00Z')
const HOUR_MS = 3_600_000

/** All that will have come in the hours after a start. */
function comingAfter(start: number, tier: Tier, hours: number) {
  const store = createStore(inventData({ tier, seed: 7, now: start }), new Map())
  const { declarations, questions } = tiers[tier]
  vi.useFakeTimers({ now: start })
  createArrivals({ store, seed: 7, meanMs: slowingDown(declarations + questions, start) }).start()
  vi.advanceTimersByTime(hours * HOUR_MS)
  vi.useRealTimers()
  const { highSchools, askedQuestions, declarationsOfInterest } = store.current()
  return {
    highSchools: [...highSchools],
    askedQuestions: [...askedQuestions],
    declarationsOfInterest: [...declarationsOfInterest],
  }
}

async function untouched({ tables, board, work, schools }: Begun, now: number) {
  const count = { 'asked-question': 0, 'declaration-of-interest': 0, ofStaff: 0 }
  for (const kind of LEAD_KINDS) {
    const [table, entries, rules] = [tables[kind], await board.current(kind), await work.rules(kind)]
    for (let row = 0; row < table.size; row++) {
      const createdAt = table.createdAt[row] ?? 0
      if (createdAt > now || isEarlier(rules, createdAt, table.year[row] ?? 0)) continue
      if ((entries.get(table.id[row] ?? '')?.status ?? 'new') !== 'new') continue
      count[kind] += 1
      if (schools.slice(0, 2).includes(table.schoolIds[table.school[row] ?? -1] ?? '')) count.ofStaff += 1
    }
  }
  return count
}

test.each([
  ['a Tuesday morning', TUESDAY, 'M'],
  ['a Saturday, in one small school', SATURDAY, 'S'],
] as const)(
  'after a start on %s it stays a calm day',
  async (_, start, tier) => {
    const demo = await openDemo(start)
    const begun = await demo.begin(comingAfter(start, tier, 25))
    const seen = [{ hours: 0, ...(await untouched(begun, start)) }]
    const at = new Set([1, 8, 24])
    for (let round = 1; round <= 24 * 120; round++) {
      const hours = round / 120
      demo.time.ms = start + hours * HOUR_MS
      // After the first hour less often than they do.
      if (hours <= 1 || round % 20 === 0) await begun.colleagues()
      if (at.has(hours)) seen.push({ hours, ...(await untouched(begun, demo.time.ms)) })
    }
    for (const count of seen) {
      expect(count['asked-question'], `questions after ${count.hours} h`).toBeLessThan(16)
      expect(count['declaration-of-interest'], `declarations after ${count.hours} h`).toBeLessThan(30)
      expect(count.ofStaff).toBeGreaterThan(3)
    }
    expect((await countWork(begun, demo.time.ms)).late).toBeLessThan(6)
    await demo.close()
  },
  120_000,
)

test('what a person has open, decided about or is assigned is theirs', async () => {
  const demo = await openDemo(TUESDAY)
  const data = comingAfter(TUESDAY, 'S', 1)
  const begun = await demo.begin(data)
  const [person] = await demo.db.select().from(users).where(like(users.email, 'staff@%'))
  const decided = () => demo.db.select().from(triage).orderBy(asc(triage.kind), asc(triage.leadId))
  demo.time.ms += HOUR_MS
  for (const { id } of [...data.askedQuestions, ...data.declarationsOfInterest]) begun.present.add(id)
  const before = await decided()
  await begun.colleagues()
  expect(await decided()).toEqual(before)

  begun.present.clear()
  await demo.db.update(triage).set({ updatedBy: person?.id ?? '', revision: sql`nextval('triage_revision')` })
  const refs = [...data.askedQuestions, ...data.declarationsOfInterest].map((lead) => {
    return { kind: 'user' in lead ? 'declaration-of-interest' : 'asked-question', leadId: lead.id } as const
  })
  const theirs = { status: 'new', assigneeId: person?.id ?? '', updatedBy: null, updatedAt: new Date(TUESDAY) } as const
  for (const some of inParts(refs, 200))
    await demo.db
      .insert(triage)
      .values(some.map((ref) => ({ ...ref, ...theirs })))
      .onConflictDoNothing()
  const mine = await decided()
  await begun.colleagues()
  expect(await decided()).toEqual(mine)
  await demo.close()
})
