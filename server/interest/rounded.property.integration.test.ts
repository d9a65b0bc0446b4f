import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { defaultAdmissionCycle, usualWorkSettings } from '@/lib/contract/settings'
import { type Count, type InterestQuery, interestQuerySchema } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest, LeadKind } from '@/lib/contract/lead'
import type { SchoolScope } from '@/lib/contract/user'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { epochDay, stockholmEpochDay } from '@/lib/time/stockholm'
import { allow } from '@/server/access/viewer'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { getInterest, interestPage } from './interest'
import { topicFigures } from './topic-figures'

const desk = await openRightsDesk()
const goals = { 'asked-question': 2, 'declaration-of-interest': 3 }
const rules = { from: null, openYear: null, goals, isHoliday: () => false }
const work = {
  settings: async () => ({
    ...usualWorkSettings,
    work: { from: null },
    goals: rules.goals,
    cycle: defaultAdmissionCycle,
  }),
  rules: async (kind: LeadKind) => workRules(kind, desk.time.ms, rules),
}
const triage = { current: async (kind: LeadKind) => answered[kind], changes: () => worlds }
const nobody = await desk.parts.protections.current()
const protections = { ...desk.parts.protections, current: async () => nobody }
const parts = { ...desk.parts, protections, triage, work }
const reaches: SchoolScope[] = ['all', ['norra', 'sodra'], ['ostra']]
const readers = await Promise.all(
  reaches.map(async (schools, at) => ({
    manager: allow(await desk.person(`manager${at}`, 'manager', schools), 'interest:read'),
    exact: allow(await desk.person(`exact${at}`, at === 0 ? 'admin' : 'staff', schools), 'interest:read'),
  })),
)
afterAll(() => desk.close())

let worlds = 0
let answered: Record<LeadKind, ReadonlyMap<string, TriageEntry>>

const SCHOOLS = ['norra', 'sodra', 'ostra']
/** All that a manager can choose. */
const someQuery = fc
  .record({ school: fc.constantFrom(undefined, ...SCHOOLS), cohort: fc.constantFrom(2026, 2027) })
  .map(({ school, cohort }) => ({ cohort, ...(school !== undefined && { school: [school] }) }))
const world = fc.record({
  leads: arbitraryLeadsOf({ declarations: 240, questions: 120, people: 300 }),
  hoursToAnswer: fc.array(fc.option(fc.integer({ min: 0, max: 200 })), { minLength: 1, maxLength: 20 }),
})

function setWorld({ leads, hoursToAnswer }: typeof world extends fc.Arbitrary<infer W> ? W : never): void {
  desk.setDeclarations(leads.declarations)
  desk.setQuestions(leads.questions)
  const entries = (of: readonly { id: string; createdAt: string }[]) =>
    new Map(
      of.flatMap(({ id, createdAt }, at): [string, TriageEntry][] => {
        const hours = hoursToAnswer[at % hoursToAnswer.length] ?? null
        if (hours === null) return []
        const updatedAt = Date.parse(createdAt) + hours * 3_600_000
        return [[id, { status: 'handled', assigneeId: null, updatedAt }]]
      }),
    )
  answered = { 'declaration-of-interest': entries(leads.declarations), 'asked-question': entries(leads.questions) }
  worlds += 1
}

const expected = (count: number): Count => (count > 0 && count < 5 ? '<5' : 5 * Math.floor((count + 2.5) / 5))
const percent = (share: number) => Math.round(share * 100) / 100
const wholeTime = (minutes: number) =>
  minutes < 2_880 ? Math.round(minutes / 60) * 60 : Math.round(minutes / 1_440) * 1_440

/** What counts no leads: years, settings, days. */
const NO_COUNTS = new Set(['cohort', 'cohorts', 'year', 'years', 'goals'])

/** An exact answer as managers are to get it: every number in it, wherever it stands, by what it is a number of. */
function roundedWhole(exact: unknown, key = '', group: Record<string, unknown> = {}): unknown {
  if (NO_COUNTS.has(key)) return exact
  if (Array.isArray(exact)) return exact.map((one) => roundedWhole(one, key))
  if (typeof exact === 'object' && exact !== null) {
    const own = exact as Record<string, unknown>
    return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, roundedWhole(one, name, own)]))
  }
  if (typeof exact !== 'number') return exact
  if (key === 'withinGoal') return Number(group['counted']) < 25 ? null : percent(exact)
  if (key.endsWith('Minutes')) return Number(group['count']) < 8 ? null : wholeTime(exact)
  return expected(exact)
}

type Numbers = Awaited<ReturnType<typeof getInterest>>

const without = (names: readonly string[], answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (names.includes(key) ? undefined : value)))
const APART = ['curves', 'handled', 'answers', 'snapshot', 'roundedTo']
const BY_WEEK = ['from', 'to', 'weeks']

test('every number that managers get is the exact one rounded, whatever their reach and filter', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.nat(2), fc.tuple(someQuery, someQuery), async (leads, reach, queries) => {
      setWorld(leads)
      for (const { manager, exact } of readers.slice(reach, reach + 1)) {
        for (const asked of queries.map((one) => interestQuerySchema.parse(one))) {
          const numbers = await getInterest(parts, manager, asked)
          const exactNumbers = await getInterest(parts, exact, asked)
          expect(without(APART, numbers)).toEqual(roundedWhole(without(APART, exactNumbers)))
          expectWhole(numbers.answers)
          const { answers } = await getInterest(parts, exact, { ...asked, ...periodOf(numbers.answers) })
          expect(without(BY_WEEK, numbers.answers)).toEqual(roundedWhole(without(BY_WEEK, answers)))
          expect(numbers.answers.weeks).toEqual(roundedWhole(exactNumbers.answers.weeks))
          expectCurves(numbers, exactNumbers)
          await expectPage(manager, exact, asked)
          for (const minutes of Object.values(numbers.handled)) expect(wholeTime(minutes ?? 0)).toBe(minutes ?? 0)
        }
      }
    }),
    { numRuns: 40 },
  )
}, 120_000)

const someEvent = fc.record({
  school: fc.constantFrom(...SCHOOLS),
  is: fc.constantFrom('declared' as const, 'asked' as const, 'answered' as const),
})

/**
 * Polling: one lead at a time comes or is answered, and after each a manager asks for everything, of all schools and of each.
 * Only what steps with a rounded count may step; what pupils ask about does not while the week is under way.
 */
test('polled after each lead and each answer, the page steps with rounded counts alone', async () => {
  const steps = { hidden: 0 }
  await fc.assert(
    fc.asyncProperty(world, fc.array(someEvent, { minLength: 6, maxLength: 12 }), async (start, events) => {
      const [reader] = readers
      if (reader === undefined) throw new Error('nobody reads')
      setWorld(start)
      let last = await polled(reader)
      for (const [at, event] of events.entries()) {
        happens(start.leads, event, `new${at}`)
        const now = await polled(reader)
        expect(now.topics).toEqual(last.topics)
        const isStill = now.allowed === last.allowed
        expect(isStill ? now.page : last.page).toEqual(last.page)
        if (isStill && now.exact !== last.exact) steps.hidden += 1
        last = now
      }
    }),
    { numRuns: 25 },
  )
  // Of some two hundred, else the rule was not put to the test.
  expect(steps.hidden).toBeGreaterThan(10)
}, 120_000)

type Leads = { declarations: DeclarationOfInterest[]; questions: AskedQuestion[] }

/** Leads that follow each other, so that they are kept in `leads`. */
function happens(leads: Leads, { school, is }: typeof someEvent extends fc.Arbitrary<infer E> ? E : never, id: string) {
  const createdAt = new Date(desk.time.ms - 60_000).toISOString()
  if (is === 'declared') leads.declarations = [...leads.declarations, declaration(id, { school, createdAt })]
  if (is === 'asked')
    leads.questions = [...leads.questions, question(id, { school, createdAt, text: 'Får man busskort?' })]
  const waits = ({ id: one, highSchoolId }: AskedQuestion) =>
    highSchoolId === school && !answered['asked-question'].has(one)
  const first = leads.questions.find(waits)
  if (is === 'answered' && first) {
    const entry: TriageEntry = { status: 'handled', assigneeId: null, updatedAt: desk.time.ms }
    answered = { ...answered, 'asked-question': new Map([...answered['asked-question'], [first.id, entry]]) }
  }
  desk.setDeclarations(leads.declarations)
  desk.setQuestions(leads.questions)
  worlds += 1
}

/** All that a manager gets, and the rounded counts that it may follow from. */
async function polled({ manager, exact }: (typeof readers)[number]) {
  const seen: Record<'page' | 'topics' | 'allowed' | 'exact', unknown[]> = {
    page: [],
    topics: [],
    allowed: [],
    exact: [],
  }
  for (const school of [undefined, ...SCHOOLS]) {
    const query = { cohort: 2027, ...(school !== undefined && { school: [school] }) }
    const page = await interestPage(parts, exact, query)
    const { curves, ...numbers } = await getInterest(parts, exact, query)
    const waiting = [page.board.all, ...page.board.schools].map((row) => [
      expected(Number(row.waiting)),
      expected(Number(row.late)),
    ])
    const ends = curves.map(({ year }) => [year, ...WEEK_ENDS.map((day) => expected(sumUntil(curves, year, day)))])
    seen.allowed.push(roundedWhole(without(['snapshot'], numbers)), waiting, ends)
    seen.exact.push(without(['snapshot'], page))
    seen.page.push(without(['snapshot'], await interestPage(parts, manager, query)))
    seen.topics.push(await topicFigures(parts, manager, query))
  }
  return { ...seen, allowed: JSON.stringify(seen.allowed), exact: JSON.stringify(seen.exact) }
}

const WEEK_ENDS = Array.from({ length: 160 }, (_, week) => (week - 130) * 7)

type Period = { from: string | null; to: string | null }

function periodOf({ from, to }: Period): Pick<InterestQuery, 'from' | 'to'> {
  return { ...(from !== null && { from }), ...(to !== null && { to }) }
}

/** Whole weeks that have ended, beside as many of the year before. */
function expectWhole({ lastYear, ...answers }: Period & { lastYear: Period }): void {
  const [now, before] = [answers, lastYear].map(({ from, to }) => [epochDay(from ?? ''), epochDay(to ?? '')] as const)
  const weekdays = [answers, lastYear].flatMap(({ from, to }) =>
    [from, to].map((day) => new Date(day ?? '').getUTCDay()),
  )
  expect(weekdays).toEqual([1, 0, 1, 0])
  expect([now?.[0], now?.[1]].map((day) => (day ?? 0) - 364)).toEqual([before?.[0], before?.[1]])
  expect(now?.[1]).toBeLessThan(stockholmEpochDay(desk.time.ms))
}

type Curves = Numbers['curves']
const sumUntil = (curves: Curves, year: number, day: number) =>
  Number(curves.find((one) => one.year === year)?.points.findLast(([at]) => at <= day)?.[1] ?? 0)

function expectCurves({ curves }: { curves: Curves }, exact: { curves: Curves }): void {
  for (const { year, points } of exact.curves) {
    const ends = [...new Set(points.map(([at]) => Math.ceil(at / 7)))].map((week) => week * 7 + 0)
    const sums = ends.map((end) => [end, expected(sumUntil(exact.curves, year, end))])
    expect(curves.find((one) => one.year === year)?.points).toEqual(sums)
  }
  expect(curves).toHaveLength(exact.curves.length)
}

/**
 * On the page every count is the exact one rounded, and everything else says no more than managers can ask for by school
 * already: rounded sums by week, rounded answers.
 */
async function expectPage(manager: Reader, exact: Reader, { school, cohort }: InterestQuery): Promise<void> {
  const query = { ...(school && { school }), cohort: cohort ?? 2027 }
  const [page, exactPage] = [await interestPage(parts, manager, query), await interestPage(parts, exact, query)]
  expect(page.board.schools).toHaveLength(exactPage.board.schools.length)
  for (const [place, row] of page.board.schools.entries()) {
    const ask = { school: [row.school.id], cohort: query.cohort }
    const { curves, answers } = await getInterest(parts, manager, ask)
    const { now, waiting, late } = exactPage.board.schools[place] ?? exactPage.board.all
    expect([row.now, row.waiting, row.late]).toEqual([now, waiting, late].map((count) => expected(Number(count))))
    expect(row.withinGoal).toBe(page.isWorked ? (answers.bySchool[0]?.withinGoal ?? null) : null)
    const whole = page.board.curves
    const before = row.before === null ? undefined : curves.find(({ year }) => year === query.cohort - 1)
    const sums = weekEnds(whole.today).map((end) => sizeOf(before?.points.findLast(([at]) => at <= end)?.[1] ?? 0))
    const [from = 0, to = 0] = sums
    const between = from + ((to - from) * (((whole.today % 7) + 7) % 7)) / 7
    const isOver = whole.today >= (whole.days.at(-1) ?? 0)
    const atDay = before === undefined ? null : expected(Math.round(between))
    expect(row.before).toEqual(isOver ? row.beforeInAll : atDay)
  }
  const shown = (['now', 'waiting', 'late'] as const).map((name) => [page.board.all[name], exactPage.board.all[name]])
  for (const [rounded, count] of shown) expect(rounded).toBe(expected(Number(count)))
}

type Reader = (typeof readers)[number]['manager']
const sizeOf = (count: Count) => (count === '<5' ? 2.5 : count)
const weekEnds = (day: number) => [Math.floor(day / 7) * 7, Math.floor(day / 7) * 7 + 7]
