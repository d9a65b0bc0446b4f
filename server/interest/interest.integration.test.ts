import { afterAll, expect, test } from 'vitest'
import { interestQuerySchema } from '@/lib/contract/interest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { snapshotInfo } from '@/server/feed/list-state'
import { statusFor } from '@/server/operations/status'
import { openRightsDesk } from '@/server/rights/testing/rights-desk'
import { changeTriage } from '@/server/triage/triage-jobs'
import { getInterest, interestPage } from './interest'

type Reader = Allowed<'interest:read'>

const desk = await openRightsDesk()
const { parts } = desk
const boss = allow(await desk.person('boss', 'manager', ['norra', 'sodra']), 'interest:read')
const staff = await desk.person('sara', 'staff', ['norra', 'sodra'])
const sara = allow(staff, 'interest:read')
const of = (school: string, count: number, from: number) =>
  Array.from({ length: count }, (_, at) =>
    declaration(`${school}${from + at}`, { school, createdAt: `2026-11-${10 + from + at}T08:00:00.000Z` }),
  )
desk.setDeclarations([...of('norra', 7, 0), ...of('sodra', 3, 0), ...of('ostra', 9, 0)])
desk.setQuestions([question('q1'), question('q2')])
const handled = ['norra0', 'norra1', 'norra2'].map((id) => ({ kind: 'declaration-of-interest', id }) as const)
await changeTriage(desk.parts, staff, handled, { status: 'handled' })
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

test('managers see that theirs are rounded, and get whole weeks of the cycle before, too', async () => {
  const day = { from: '2026-11-11', to: '2026-11-11' }
  const lastYear = { from: '2025-11-03', to: '2025-11-16' }
  expect(await ask(boss, day)).toMatchObject({ roundedTo: 5, answers: { lastYear } })
  expect([(await page(boss, day)).isRounded, (await page(sara, day)).isRounded]).toEqual([true, false])
  expect((await page(sara, day)).period.from).toBe(day.from)
})

test('managers see one version within five minutes, whichever endpoint they poll', async () => {
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
