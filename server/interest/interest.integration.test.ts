import { afterAll, beforeAll, expect, test } from 'vitest'
import { interestQuerySchema } from '@/lib/contract/interest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { createSettings } from '@/server/settings/settings'
import { changeTriage } from '@/server/triage/triage-jobs'
import { getInterest, interestPage } from './interest'
import { createInterestCache } from './interest-cache'

type Reader = Allowed<'interest:read'>

let desk: TestDesk
let parts: Parameters<typeof interestPage>[0]
let boss: Reader
let sara: Reader
beforeAll(async () => {
  desk = await openTestDesk()
  const settings = createSettings({ connect: desk.parts.connect, onUnreachable: () => {} })
  parts = { ...desk.parts, interest: createInterestCache(), settings }
  boss = allow(await desk.person('boss', 'manager', ['norra', 'sodra']), 'interest:read')
  const staff = await desk.person('sara', 'staff', ['norra', 'sodra'])
  sara = allow(staff, 'interest:read')
  const of = (school: string, count: number, from: number) =>
    Array.from({ length: count }, (_, at) =>
      declaration(`${school}${from + at}`, { school, createdAt: `2026-11-${10 + from + at}T08:00:00.000Z` }),
    )
  desk.setDeclarations([...of('norra', 7, 0), ...of('sodra', 3, 0), ...of('ostra', 9, 0)])
  desk.setQuestions([question('q1'), question('q2')])
  const handled = ['norra0', 'norra1', 'norra2'].map((id) => ({ kind: 'declaration-of-interest', id }) as const)
  await changeTriage(desk.parts, staff, handled, { status: 'handled' })
})
afterAll(() => desk.close())

const ask = (viewer: Reader, query: object = {}) => getInterest(parts, viewer, interestQuerySchema.parse(query))
const page = (viewer: Reader, query: object = {}) => interestPage(parts, viewer, interestQuerySchema.parse(query))

test('who may read the leads gets every number, whatever they choose', async () => {
  const whole = await ask(sara)
  expect(whole.withheldBelow).toBeUndefined()
  expect(whole.byYearAndSchool.map(({ declarations }) => declarations)).toEqual([7, 3])
  expect(whole.curves[0]?.points.map(([, sum]) => sum)).toEqual([2, 4, 6, 7, 8, 9, 10])
  expect(whole.handled.medianMinutes).not.toBeNull()
  expect((await ask(sara, { school: ['sodra'] })).byYearAndSchool.map(({ people }) => people)).toEqual([3])
})

test('who may only count gets no small one, whatever they choose', async () => {
  const few = { highSchoolId: 'sodra', year: 2027, declarations: 4, people: 4 }
  const whole = await ask(boss)
  expect(whole.withheldBelow).toBe(5)
  expect(whole.byYearAndSchool).toEqual([{ highSchoolId: 'norra', year: 2027, declarations: 7, people: 7 }, few])
  expect(whole.curves.map(({ points }) => points.map(([, sum]) => sum))).toEqual([[7]])
  expect(whole.weeks.map(({ questions }) => questions).filter((count) => count > 0)).toEqual([])
  expect(whole.handled).toEqual({ medianMinutes: null, p90Minutes: null })
  expect((await ask(boss, { school: ['sodra'] })).byYearAndSchool).toEqual([few])
  const ofPeriod = await ask(boss, { school: ['sodra'], from: '2026-11-09', to: '2026-11-15' })
  expect(ofPeriod).toMatchObject({ byYearAndSchool: [], weeks: [], curves: [] })
})

test('their page says the same, and which of its sums are approximate', async () => {
  const { isWithheld, headline, grid, answers, cohorts } = await page(boss, { cohort: 2027 })
  expect(isWithheld).toBe(true)
  expect(headline.now).toEqual({ declarations: 10, people: 10, isAbout: true })
  expect(grid.total).toMatchObject({
    total: { declarations: 10, isAbout: true },
    questions: 4,
    areQuestionsAbout: true,
  })
  expect(answers).toMatchObject({ count: null, bySchool: [], medianMinutes: null })
  expect(cohorts).toContain(2027)
  expect((await page(sara, { cohort: 2027, school: ['sodra'] })).isWithheld).toBe(false)
})

test('of days before the first day of work their page says that they are, and of a year before it', async () => {
  const settings = async () => ({ ...(await parts.work.settings()), work: { from: '2026-09-16' } })
  const since = { ...parts, work: { ...parts.work, settings } }
  const told = async (cohort: number) => {
    const { answers } = await interestPage(since, sara, interestQuerySchema.parse({ cohort }))
    return answers.isBeforeWork
  }
  expect(await told(2027)).toEqual({ now: false, before: true })
  expect(await told(2026)).toEqual({ now: true, before: true })
  expect((await page(sara)).answers.isBeforeWork).toEqual({ now: false, before: false })
})
