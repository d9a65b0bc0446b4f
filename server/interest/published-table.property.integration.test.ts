import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { toComparablePhone } from '@/lib/contacts/contact-key'
import type { Count, InterestQuery } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { defaultAdmissionCycle, defaultWorkSettings } from '@/lib/contract/settings'
import type { SchoolScope } from '@/lib/contract/user'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { leadKey } from '@/lib/leads/lead-key'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import { createWorkRules } from '@/lib/leads/work-rules'
import { type Allowed, requirePermission } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { ProtectionList } from '@/server/leads/protection-list'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getInterest, getInterestPage } from './interest'
import { createInterestServices } from './services'

const desk = await openRightsDesk()
afterAll(() => desk.close())

const SCHOOLS = ['norra', 'sodra', 'ostra']
const SCOPES: SchoolScope[] = ['all', ['norra', 'sodra'], ['ostra']]
const readers = await Promise.all(
  SCOPES.map(async (schools, index) => {
    const exact = await desk.addPerson(`exact${index}`, schools === 'all' ? 'admin' : 'staff', schools)
    const manager = await desk.addPerson(`manager${index}`, 'manager', schools)
    return { manager: requirePermission(manager, 'interest:read'), exact: requirePermission(exact, 'interest:read') }
  }),
)
const [{ manager: boss, exact: admin }] = readers as [(typeof readers)[number]]

const NOBODY: ProtectionList = { protections: [], fingerprint: '' }
const goals = { 'asked-question': 2, 'declaration-of-interest': 3 }
const rules = { firstDay: null, openYear: null, goals, isHoliday: () => false }

type World = { declarations: DeclarationOfInterest[]; questions: AskedQuestion[]; hoursToAnswer: (number | null)[] }

/** The services over these leads, each answered after the hours that its id draws. */
function createServices({ declarations, questions, hoursToAnswer }: World, protections = NOBODY) {
  desk.setDeclarations(declarations)
  desk.setQuestions(questions)
  const toEntry = ({ id, createdAt }: Lead): [string, TriageEntry][] => {
    const hours = hoursToAnswer[Number(id.slice(1)) % hoursToAnswer.length] ?? null
    if (hours === null) return []
    return [[id, { status: 'handled', assigneeId: null, updatedAt: Date.parse(createdAt) + hours * 3_600_000 }]]
  }
  const entries = {
    'declaration-of-interest': new Map(declarations.flatMap(toEntry)),
    'asked-question': new Map(questions.flatMap(toEntry)),
  }
  return testServices({
    ...desk.parts,
    ...createInterestServices(),
    protections: { getList: async () => protections },
    triage: { getEntries: async (kind: LeadKind) => entries[kind], getVersion: () => 0 },
    work: {
      getSettings: async () => ({ ...defaultWorkSettings, work: { from: null }, goals, cycle: defaultAdmissionCycle }),
      getRules: async (kind: LeadKind) => createWorkRules(kind, desk.time.ms, rules),
    },
  })
}

const TEXTS = ['Får man busskort?', 'Hur är maten?', 'Min son har autism', 'Hej?']
const hoursToAnswer = fc.array(fc.option(fc.integer({ min: 0, max: 200 })), { minLength: 1, maxLength: 20 })
const worldOf = (most: { declarations: number; questions: number; people: number }) =>
  fc.tuple(arbitraryLeadsOf(most), hoursToAnswer).map(([{ declarations, questions }, hours]): World => ({
    declarations,
    questions: questions.map((one, index) => ({ ...one, question: TEXTS[index % TEXTS.length] ?? '' })),
    hoursToAnswer: hours,
  }))
const anyWorld = worldOf({ declarations: 240, questions: 120, people: 300 })
const worldOfFew = worldOf({ declarations: 120, questions: 80, people: 12 })

/** Everything that a manager can ask for: one school or all, and a year. */
const QUERIES = [undefined, ...SCHOOLS].flatMap((school) =>
  [2026, 2027].map((cohort): InterestQuery => ({ cohort, ...(school !== undefined && { school: [school] }) })),
)

const round = (count: Count): Count => {
  const exact = Number(count)
  return exact > 0 && exact < 5 ? '<5' : 5 * Math.floor((exact + 2.5) / 5)
}

/** Rounds every count in an exact answer by itself. */
function roundCounts(exact: object, names: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(exact, (name, value: Count) => (names.includes(name) ? round(value) : value)))
}

/** The sums at the ends of weeks in which something came. */
function endsOfWeeks(curves: Awaited<ReturnType<typeof getInterest>>['curves']): unknown {
  return curves.map(({ year, points }) => {
    const ends = new Map(points.map(([day, sum]) => [Math.ceil(day / 7) * 7 + 0, round(sum)]))
    return { year, points: [...ends] }
  })
}

test('every number that managers get is the exact one, rounded once, whatever their scope and choice', async () => {
  const anyReader = fc.constantFrom(...readers)
  await fc.assert(
    fc.asyncProperty(anyWorld, anyReader, fc.constantFrom(...QUERIES), async (world, { manager, exact }, query) => {
      const services = createServices(world)
      const numbers = await getInterest(services, manager, query)
      const { byYearAndSchool, weeks, curves, handled } = await getInterest(services, exact, query)
      expect({ byYearAndSchool: numbers.byYearAndSchool, weeks: numbers.weeks }).toEqual(
        roundCounts({ byYearAndSchool, weeks }, ['declarations', 'people', 'questions']),
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
      const counts = ({ total, schools }: typeof board) =>
        [total, ...schools].map(({ countSoFar, waitingCount, lateCount }) => ({ countSoFar, waitingCount, lateCount }))
      expect(counts(board)).toEqual(roundCounts(counts(exactPage.board), ['countSoFar', 'waitingCount', 'lateCount']))
      // Other years differ in no number of what came.
      expect(await getInterest(services, manager, { ...query, cohort: 2028 })).toEqual({ ...numbers, cohort: 2028 })
    }),
    { numRuns: 60 },
  )
}, 120_000)

/** A protected person, by an address, a phone and one lead of their own, for no user or for a manager too. */
const anyPerson = fc.record({
  person: fc.nat({ max: 12 }),
  lead: fc.nat({ max: 119 }),
  allowed: fc.constantFrom([], ['manager0'], ['manager0', 'manager1', 'manager2']),
})

async function everyAnswer(manager: Allowed<'interest:read'>, world: World, protections?: ProtectionList) {
  const services = createServices(world, protections)
  const answers: unknown[] = []
  for (const query of QUERIES)
    for (const verb of [getInterest, getInterestPage]) answers.push(await verb(services, manager, query))
  return JSON.stringify(answers)
}

test('who is protected is in no number of a manager: they are those of the lists without that person', async () => {
  let countDifferent = 0
  await fc.assert(
    fc.asyncProperty(worldOfFew, anyPerson, fc.constantFrom(...readers), async (world, one, { manager }) => {
      const email = `p${one.person}@example.org`
      const phone = toComparablePhone(`+46701740${one.person + 600}`) ?? ''
      const id = `d${one.lead}`
      const keys = new Set([leadKey({ kind: 'declaration-of-interest', id })])
      const person = { emails: new Set([email]), phones: new Set([phone]), leadKeys: keys }
      const protection = { id: 'p', ...person, allowedUserIds: new Set(one.allowed), allowedReaders: [] }
      const isOther = (lead: DeclarationOfInterest | AskedQuestion) => {
        const sender = 'user' in lead ? lead.user : lead.sender
        return sender.email !== email && toComparablePhone(sender.phone) !== phone && lead.id !== id
      }
      const { declarations, questions } = world
      const rest = { ...world, declarations: declarations.filter(isOther), questions: questions.filter(isOther) }
      const hidden = await everyAnswer(manager, world, { protections: [protection], fingerprint: 'p' })
      expect(hidden).toBe(await everyAnswer(manager, rest))
      if (hidden !== (await everyAnswer(manager, world))) countDifferent++
    }),
    { numRuns: 10 },
  )
  expect(countDifferent).toBeGreaterThan(0)
}, 120_000)

test('a manager can ask for no sum of some schools: the choices of five named 76 of 122 small numbers', async () => {
  const two = { school: ['norra', 'sodra'] }
  const services = createServices({ declarations: [], questions: [], hoursToAnswer: [null] })
  for (const verb of [getInterest, getInterestPage]) {
    await expect(verb(services, boss, two)).rejects.toThrow(InvalidInputError)
    await expect(verb(services, admin, two)).resolves.toBeDefined()
  }
})
