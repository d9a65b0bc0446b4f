import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { interestQuerySchema } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest, LeadKind } from '@/lib/contract/lead'
import { usualWorkSettings } from '@/lib/contract/work-settings'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { allow, type Allowed, type Viewer } from '@/server/access/viewer'
import { tellingOf } from '@/server/events/news'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { createSettings } from '@/server/settings/settings'
import { getInterest, interestPage } from './interest'
import { createInterestCache } from './interest-cache'

type Reader = Allowed<'interest:read'>

let desk: TestDesk
let parts: Parameters<typeof interestPage>[0]
let managers: Reader[]
beforeAll(async () => {
  desk = await openTestDesk()
  const settings = createSettings({ connect: desk.parts.connect, onUnreachable: () => {} })
  const current = async (kind: LeadKind) => handled[kind]
  const { goals } = bothHaveGoals
  const work = {
    settings: async () => ({ ...usualWorkSettings, goals, cycle: defaultAdmissionCycle }),
    rules: async (kind: LeadKind) => workRules(kind, desk.time.ms, bothHaveGoals),
  }
  // Nobody is protected here, which need not be read anew for each of thousands of answers.
  const nobody = await desk.parts.protections.current()
  const protections = { ...desk.parts.protections, current: async () => nobody }
  parts = { ...desk.parts, protections, triage: { current }, interest: createInterestCache(), settings, work }
  // Whose reaches overlap, and who compare what they are told.
  const reaches = ['all', ['norra', 'sodra'], ['sodra', 'ostra'], ['norra']] as const
  const people = reaches.map((schools, at) =>
    desk.person(`m${at}`, 'manager', schools === 'all' ? schools : [...schools]),
  )
  managers = (await Promise.all(people)).map((viewer) => allow(viewer, 'interest:read'))
})
afterAll(() => desk.close())
const bothHaveGoals = {
  from: null,
  openYear: null,
  goals: { 'asked-question': 2, 'declaration-of-interest': 3 },
  isHoliday: () => false,
}
/** When each lead that is handled or answered was. */
let handled: Record<LeadKind, Map<string, TriageEntry>>

const SCHOOLS = ['norra', 'sodra', 'ostra']
const YEARS = [2026, 2027, 2028]
const choices = [[], ...SCHOOLS.map((one) => [one]), ['norra', 'sodra'], ['sodra', 'ostra'], SCHOOLS]
const periods = [
  {},
  { from: '2026-10-05' },
  { to: '2026-10-18' },
  { from: '2026-10-12', to: '2026-10-25' },
  { from: '2026-10-14', to: '2026-10-14' },
]
const queries = choices.flatMap((school) =>
  periods.map((period) => interestQuerySchema.parse({ ...(school.length > 0 && { school }), ...period, cohort: 2027 })),
)

type Lead = { day: number; hoursTillHandled: number | null }
/** Leads of a school for a year; null: its questions. */
type Group = { school: string; year: number | null; leads: readonly Lead[] }

/** Everything that these managers can ask for, as one text. */
async function everythingTold(groups: readonly Group[]): Promise<string> {
  const declarations: DeclarationOfInterest[] = []
  const questions: AskedQuestion[] = []
  handled = { 'asked-question': new Map(), 'declaration-of-interest': new Map() }
  for (const { school, year, leads } of groups) {
    for (const [at, { day, hoursTillHandled: hours }] of leads.entries()) {
      const id = `${school} ${year} ${at}`
      const came = Date.UTC(2026, 9, 1 + day, 9)
      const its = { school, createdAt: new Date(came).toISOString() }
      if (year === null) questions.push(question(id, its))
      else declarations.push(declaration(id, { ...its, highSchoolEnrollmentYear: year }))
      const when = came + (hours ?? 0) * 3_600_000
      const entry: TriageEntry =
        (hours ?? 0) % 2 === 0
          ? { status: 'handled', assigneeId: null, updatedAt: when }
          : { status: 'in-progress', assigneeId: null, updatedAt: came, answeredAt: when }
      if (hours !== null) handled[year === null ? 'asked-question' : 'declaration-of-interest'].set(id, entry)
    }
  }
  desk.setDeclarations(declarations)
  desk.setQuestions(questions)
  const told: unknown[] = []
  for (const viewer of managers) {
    for (const query of queries)
      told.push(await getInterest(parts, viewer, query), await interestPage(parts, viewer, query))
    told.push(streamOf(viewer, declarations.length))
  }
  return inOrder(told)
}

/** In which order groups were met says nothing that is told: screens order them anew. */
function inOrder(answers: unknown): string {
  return JSON.stringify(answers, (_, value: unknown) =>
    Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value,
  )
}

/** What a live stream says of a fetch, with the numbers that whoever may read leads is told. */
function streamOf(viewer: Viewer, count: number): string | null {
  const numbers = SCHOOLS.map(() => count)
  const counted = { schoolIds: SCHOOLS, total: Uint32Array.from(numbers), unhandled: Uint32Array.from(numbers) }
  const touched = { ids: [], schools: new Set(SCHOOLS) }
  const news = { name: 'fetched', version: 7, isNew: true, status: null } as const
  return tellingOf({ ...news, list: 'declarations-of-interest', touched, counted }, viewer)
}

const lead = fc.record({
  day: fc.integer({ min: 0, max: 35 }),
  hoursTillHandled: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 4 }),
})
const many = fc.array(lead, { minLength: 5, maxLength: 14 })
const few = fc.array(lead, { minLength: 1, maxLength: 4 })
const places = SCHOOLS.flatMap((school) => [...YEARS, null].map((year) => ({ school, year })))

/** Two worlds that differ only in what their small groups are: how many, when they came, and which of them are answered. */
const worlds = fc
  .tuple(
    ...places.map((place) =>
      fc
        .oneof(
          many.map((leads) => [leads, leads]),
          fc.tuple(few, few),
          fc.constant<readonly Lead[][]>([[], []]),
        )
        .map(([leads = [], others = []]) => [
          { ...place, leads },
          { ...place, leads: others },
        ]),
    ),
  )
  .map((pairs) => [0, 1].map((world) => pairs.flatMap((pair) => pair[world] ?? [])))

test('whatever managers ask for, compare and subtract, now and later, says of no small group how large it is', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async ([world = [], other = []]) => {
      expect(await everythingTold(world)).toBe(await everythingTold(other))
    }),
    { numRuns: 8 },
  )
}, 120_000)

const five = fc.array(lead, { minLength: 5, maxLength: 7 })
const hours = fc.array(
  lead.map(({ hoursTillHandled }) => hoursTillHandled),
  { minLength: 7, maxLength: 7 },
)

test('how the leads of a school with fewer than eight were answered is in nothing, and in no total either', async () => {
  await fc.assert(
    fc.asyncProperty(five, hours, many, async (leads, answered, others) => {
      const rest = { school: 'norra', year: 2027, leads: [...others, ...others] }
      const answeredAs = (at: (place: number) => number | null | undefined) =>
        everythingTold([
          rest,
          {
            school: 'sodra',
            year: 2027,
            leads: leads.map(({ day }, place) => ({ day, hoursTillHandled: at(place) ?? null })),
          },
        ])
      expect(await answeredAs((place) => leads[place]?.hoursTillHandled)).toBe(
        await answeredAs((place) => answered[place]),
      )
    }),
    { numRuns: 4 },
  )
}, 120_000)

test('a school whose leads are all handled does not tell by their number how many are in a small group', async () => {
  const leads = (count: number) => Array.from({ length: count }, (_, day) => ({ day, hoursTillHandled: 2 }))
  const all = [
    { school: 'norra', year: 2027, leads: leads(20) },
    { school: 'norra', year: null, leads: leads(10) },
  ]
  const told = new Set<string>()
  for (const size of [1, 2, 3, 4])
    told.add(await everythingTold([...all, { school: 'norra', year: 2028, leads: leads(size) }]))
  expect(told.size).toBe(1)
}, 120_000)

test('what managers are told of the goal does not tell how few of a school’s leads are late', async () => {
  const leads = (late: number) =>
    Array.from({ length: 20 }, (_, day) => ({ day, hoursTillHandled: day < late ? 190 : 2 }))
  const told = new Set<string>()
  for (const late of [1, 2, 3, 4, 5, 6, 7]) {
    await everythingTold([{ school: 'norra', year: null, leads: leads(late) }])
    const [all] = managers
    const answers = all && (await getInterest(parts, all, interestQuerySchema.parse({ cohort: 2027 }))).answers
    expect(answers?.withinGoal).toBe(0.8)
    told.add(JSON.stringify([answers?.withinGoal, answers?.bySchool.map(({ withinGoal }) => withinGoal)]))
    expect(JSON.stringify(answers)).not.toMatch(/"count(ed)?":\d/)
  }
  expect(told.size).toBe(1)
}, 120_000)
