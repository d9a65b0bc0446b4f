import { afterAll, beforeAll, expect, test } from 'vitest'
import { interestQuerySchema } from '@/lib/contract/interest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { snapshotInfo } from '@/server/feed/list-state'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { statusFor } from '@/server/operations/status'
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

test('staff get every number exactly, whatever they choose', async () => {
  const whole = await ask(sara)
  expect(whole.roundedTo).toBeUndefined()
  expect(whole.byYearAndSchool.map(({ declarations }) => declarations)).toEqual([7, 3])
  expect(whole.curves[0]?.points.map(([, sum]) => sum)).toEqual([2, 4, 6, 7, 8, 9, 10])
  expect(whole.handled.medianMinutes).not.toBeNull()
  expect((await ask(sara, { school: ['sodra'] })).byYearAndSchool.map(({ people }) => people)).toEqual([3])
})

test('managers get the same numbers rounded, whatever they choose', async () => {
  const whole = await ask(boss)
  expect(whole).toMatchObject({
    roundedTo: 5,
    byYearAndSchool: [
      { highSchoolId: 'norra', year: 2027, declarations: 5, people: 5 },
      { highSchoolId: 'sodra', year: 2027, declarations: '<5', people: '<5' },
    ],
    weeks: [
      { week: '2026-W46', declarations: 10, questions: 0 },
      { week: '2026-W47', declarations: '<5', questions: '<5' },
    ],
    curves: [{ year: 2027, points: [[-91, 10]] }],
    handled: { medianMinutes: null, p90Minutes: null },
    answers: { count: '<5', medianMinutes: null },
  })
  expect((await ask(boss, { school: ['sodra'] })).byYearAndSchool).toEqual([whole.byYearAndSchool[1]])
})

test('days asked for by managers are widened to whole weeks, unless they are whole months', async () => {
  const ofDay = await ask(boss, { from: '2026-11-11', to: '2026-11-11' })
  expect(ofDay).toEqual(await ask(boss, { from: '2026-11-09', to: '2026-11-15' }))
  expect(ofDay.weeks).toEqual([{ week: '2026-W46', declarations: 10, questions: 0 }])
  expect(ofDay.answers).toMatchObject({ from: '2026-11-09', to: '2026-11-15' })
  expect(ofDay.answers.lastYear, 'a cycle earlier, in whole weeks too').toMatchObject({
    from: '2025-11-03',
    to: '2025-11-16',
  })
  const ofMonth = await page(boss, { from: '2026-11-01', to: '2026-11-30' })
  expect(ofMonth.period).toEqual({ from: '2026-11-01', to: '2026-11-30' })
  expect((await page(boss, { from: '2026-11-01', to: '2026-11-29' })).period).toMatchObject({ from: '2026-10-26' })
  expect((await page(sara, { from: '2026-11-11', to: '2026-11-11' })).period.from).toBe('2026-11-11')
})

test('the page of managers has the same, its sums made of exact numbers', async () => {
  const { isRounded, headline, grid, weeks, modes, answers, cohorts } = await page(boss, { cohort: 2027 })
  expect(isRounded).toBe(true)
  expect(headline).toMatchObject({ now: { declarations: 10, people: 10 }, perPerson: null })
  expect(grid.schools.map(({ total }) => total.declarations)).toEqual([5, '<5'])
  expect(grid.total).toMatchObject({ total: { declarations: 10 }, questions: '<5' })
  expect(weeks.at(-1)).toEqual({ week: '2026-W47', declarations: '<5', questions: '<5' })
  expect(modes).toEqual([{ mode: 'email', questions: '<5', share: null }])
  expect(answers).toMatchObject({ count: '<5', medianMinutes: null, bySchool: [{ school: { id: 'norra' } }] })
  expect(cohorts).toContain(2027)
  expect((await page(sara, { cohort: 2027, school: ['sodra'] })).isRounded).toBe(false)
})

test('managers who poll see one version within five minutes, wherever they ask', async () => {
  const seen = new Set<string>()
  const beganAt = Math.ceil(desk.time.ms / 300_000) * 300_000
  for (let second = 0; second < 300; second += 1) {
    const state = { ...desk.parts.feed.declarations(), version: 100 + second, fetchedAt: beganAt + second * 1_000 }
    const lists = { 'asked-questions': null, 'declarations-of-interest': snapshotInfo(state), 'high-schools': null }
    const budget = { spentThisHour: 0, perHour: 1 }
    const status = statusFor(boss, { mode: 'demo', now: '', lists, problems: [], budget })
    seen.add(JSON.stringify(status.lists['declarations-of-interest']))
    if (second % 60 !== 0) continue
    const feed = { ...desk.parts.feed, declarations: () => state }
    seen.add(JSON.stringify((await getInterest({ ...parts, feed }, boss, interestQuerySchema.parse({}))).snapshot))
  }
  expect([...seen]).toHaveLength(1)
})

test('of days before the first day of work their page says that they are, and of a year before it', async () => {
  const settings = async () => ({ ...(await parts.work.settings()), work: { from: '2026-09-16' } })
  const since = { ...parts, work: { ...parts.work, settings } }
  const isBefore = async (cohort: number) => {
    const { answers } = await interestPage(since, sara, interestQuerySchema.parse({ cohort }))
    return answers.isBeforeWork
  }
  expect(await isBefore(2027)).toEqual({ now: false, before: true })
  expect(await isBefore(2026)).toEqual({ now: true, before: true })
  expect((await page(sara)).answers.isBeforeWork).toEqual({ now: false, before: false })
})
