import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Count } from '@/lib/contract/interest'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { defaultAdmissionCycle, defaultWorkSettings } from '@/lib/contract/settings'
import type { SchoolScope } from '@/lib/contract/user'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { createWorkRules } from '@/lib/leads/work-rules'
import { requirePermission } from '@/server/access/viewer'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getInterest, getInterestPage } from './interest'

const desk = await openRightsDesk()
const goals = { 'asked-question': 2, 'declaration-of-interest': 3 }
const rules = { firstDay: null, openYear: null, goals }
let worlds = 0
let answered: Record<LeadKind, ReadonlyMap<string, TriageEntry>>
const nobody = await desk.parts.protections.getList()
const services = testServices({
  ...desk.parts,
  protections: { getList: async () => nobody },
  triage: { getEntries: async (kind: LeadKind) => answered[kind], getVersion: () => worlds },
  work: {
    getSettings: async () => ({ ...defaultWorkSettings, work: { from: null }, goals, cycle: defaultAdmissionCycle }),
    getRules: async (kind: LeadKind) => createWorkRules(kind, desk.time.ms, rules),
  },
})
const scopes: SchoolScope[] = ['all', ['norra', 'sodra'], ['ostra']]
const readers = await Promise.all(
  scopes.map(async (schools, at) => ({
    manager: requirePermission(await desk.person(`manager${at}`, 'manager', schools), 'interest:read'),
    exact: requirePermission(await desk.person(`exact${at}`, at === 0 ? 'admin' : 'staff', schools), 'interest:read'),
  })),
)
afterAll(() => desk.close())

/** All that a manager can choose. */
const someQuery = fc
  .record({ school: fc.constantFrom(undefined, 'norra', 'sodra', 'ostra'), cohort: fc.constantFrom(2026, 2027) })
  .map(({ school, cohort }) => ({ cohort, ...(school !== undefined && { school: [school] }) }))
const someWorld = fc.record({
  leads: arbitraryLeadsOf({ declarations: 240, questions: 120, people: 300 }),
  hoursToAnswer: fc.array(fc.option(fc.integer({ min: 0, max: 200 })), { minLength: 1, maxLength: 20 }),
})

function setWorld({ leads, hoursToAnswer }: typeof someWorld extends fc.Arbitrary<infer W> ? W : never): void {
  desk.setDeclarations(leads.declarations)
  desk.setQuestions(leads.questions)
  const entries = (of: readonly Lead[]) =>
    new Map(
      of.flatMap(({ id, createdAt }, at): [string, TriageEntry][] => {
        const hours = hoursToAnswer[at % hoursToAnswer.length] ?? null
        if (hours === null) return []
        return [[id, { status: 'handled', assigneeId: null, updatedAt: Date.parse(createdAt) + hours * 3_600_000 }]]
      }),
    )
  answered = { 'declaration-of-interest': entries(leads.declarations), 'asked-question': entries(leads.questions) }
  worlds += 1
}

const expected = (count: Count): Count => {
  const exact = Number(count)
  return exact > 0 && exact < 5 ? '<5' : 5 * Math.floor((exact + 2.5) / 5)
}

/** Every count in an exact answer, rounded by itself. */
function roundedWhole(exact: object, names: readonly string[]): unknown {
  return JSON.parse(
    JSON.stringify(exact, (name, value: unknown) => (names.includes(name) ? expected(Number(value)) : value)),
  )
}

type Curves = Awaited<ReturnType<typeof getInterest>>['curves']

/** The sums at the ends of weeks in which something came. */
function endsOfWeeks(curves: Curves): unknown {
  return curves.map(({ year, points }) => {
    const ends = new Map(points.map(([day, sum]) => [Math.ceil(day / 7) * 7 + 0, expected(sum)]))
    return { year, points: [...ends] }
  })
}

test('every number that managers get is the exact one rounded, whatever their scope and choice', async () => {
  await fc.assert(
    fc.asyncProperty(someWorld, fc.constantFrom(...readers), someQuery, async (world, { manager, exact }, query) => {
      setWorld(world)
      const numbers = await getInterest(services, manager, query)
      const { byYearAndSchool, weeks, curves, handled } = await getInterest(services, exact, query)
      expect({ byYearAndSchool: numbers.byYearAndSchool, weeks: numbers.weeks }).toEqual(
        roundedWhole({ byYearAndSchool, weeks }, ['declarations', 'people', 'questions']),
      )
      expect(numbers.curves).toEqual(endsOfWeeks(curves))
      for (const name of ['medianMinutes', 'p90Minutes'] as const) {
        const minutes = numbers.handled[name] ?? 0
        expect(minutes % 60).toBe(0)
        if (numbers.handled[name] === null) continue
        expect(Math.abs(minutes - (handled[name] ?? 0))).toBeLessThanOrEqual(minutes < 2_880 ? 30 : 720)
      }
      const { board } = await getInterestPage(services, manager, query)
      const exactPage = await getInterestPage(services, exact, query)
      const counts = ({ all, schools }: typeof board) =>
        [all, ...schools].map(({ countSoFar: now, waiting, late }) => ({ now, waiting, late }))
      expect(counts(board)).toEqual(roundedWhole(counts(exactPage.board), ['now', 'waiting', 'late']))
      for (const { judged, withinGoal } of [board.all, ...board.schools])
        expect(withinGoal === null || Number(judged) >= 25).toBe(true)
    }),
    { numRuns: 60 },
  )
}, 120_000)
