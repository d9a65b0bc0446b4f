import { afterAll, expect, test } from 'vitest'
import { interestQuerySchema } from '@/lib/contract/interest'
import { defaultAdmissionCycle, defaultWorkSettings } from '@/lib/contract/settings'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type Allowed, createConsoleViewer, requirePermission } from '@/server/access/viewer'
import { changeWorkSettings } from '@/server/leads/work-settings'
import { commitTriageChange } from '@/server/leads/write-triage'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getInterest, getInterestPage } from './interest'

type Reader = Allowed<'interest:read'>

const desk = await openRightsDesk()
const { parts } = desk
const boss = requirePermission(await desk.addPerson('boss', 'manager', ['norra', 'sodra']), 'interest:read')
const staff = await desk.addPerson('sara', 'staff', ['norra', 'sodra'])
const sara = requirePermission(staff, 'interest:read')
const of = (school: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    declaration(`${school}${at}`, { school, email: `${school}@x.se`, createdAt: `2026-11-${10 + at}T08:00:00.000Z` }),
  )
desk.setDeclarations([...of('norra', 7), ...of('sodra', 3), ...of('ostra', 9)])
desk.setQuestions([question('q1'), question('q2')])
const LONG_AGO = { createdAt: '2026-11-02T08:00:00.000Z' }
const handled = ['norra0', 'norra1', 'norra2'].map((id) => ({ kind: 'declaration-of-interest', id }) as const)
await commitTriageChange(desk.parts, staff, handled, { status: 'handled' })
afterAll(() => desk.close())

const ask = (viewer: Reader, query: object = {}) =>
  getInterest(testServices(parts), viewer, interestQuerySchema.parse(query))
const page = (viewer: Reader, query: object = {}) =>
  getInterestPage(testServices(parts), viewer, interestQuerySchema.parse(query))

test('staff get every number exactly, whatever they choose; managers see that theirs are rounded', async () => {
  const exact = await ask(sara)
  expect(exact.curves[0]?.points.map(([, sum]) => sum)).toEqual([2, 4, 6, 7, 8, 9, 10])
  expect(exact.handled.medianMinutes).not.toBeNull()
  expect((await ask(sara, { school: ['sodra'] })).byYearAndSchool.map(({ people }) => people)).toEqual([1])
  expect([(await page(boss)).isRounded, (await page(sara)).isRounded]).toEqual([true, false])
})

test('managers get moments and versions in steps of five minutes', async () => {
  const declarations = () => ({ ...parts.feed.declarations(), fetchedAt: Date.parse('2026-11-20T07:13:14Z') })
  const services = testServices({ ...parts, feed: { ...parts.feed, declarations } })
  const { snapshot } = await getInterest(services, boss, {})
  const fetchedAt = '2026-11-20T07:10:00.000Z'
  expect(snapshot).toMatchObject({ fetchedAt, version: Date.parse(fetchedAt) / 300_000 })
  expect((await getInterest(services, sara, {})).snapshot.fetchedAt).toBe('2026-11-20T07:13:14.000Z')
})

test('the page counts questions that wait and are late by school, and topics, within reach alone', async () => {
  const waits = async (viewer: Reader) => {
    const { board } = await page(viewer)
    const schools = board.schools.toSorted((a, b) => (a.school.id < b.school.id ? -1 : 1))
    const rows = schools.map((row) => [row.school.id, row.countSoFar, row.waitingCount, row.lateCount])
    return [...rows, ['all', board.total.countSoFar, board.total.waitingCount, board.total.lateCount]]
  }
  desk.setQuestions([
    ...Array.from({ length: 6 }, (_, at) => question(`l${at}`, LONG_AGO)),
    question('q1', { school: 'sodra', text: 'Får man busskort?' }),
    question('q2', { school: 'ostra', text: 'Får man busskort?', ...LONG_AGO }),
  ])
  desk.time.ms = Date.parse('2026-11-20T12:00:00Z')
  expect((await waits(sara)).at(-1), 'without a first day').toEqual(['all', 10, 7, 0])
  await changeWorkSettings(desk.parts, createConsoleViewer(), { work: { from: null } })
  expect(await waits(sara)).toEqual([
    ['norra', 7, 6, 6],
    ['sodra', 3, 1, 0],
    ['all', 10, 7, 6],
  ])
  const eva = requirePermission(await desk.addPerson('eva', 'staff', ['norra']), 'interest:read')
  expect((await waits(eva)).at(-1)).toEqual(['all', 7, 6, 6])
  await commitTriageChange(desk.parts, staff, [{ kind: 'asked-question', id: 'l0' }], { status: 'handled' })
  expect((await waits(sara)).at(-1)).toEqual(['all', 10, 6, 5])
  const transport = (await page(sara)).topics.topics.find(({ id }) => id === 'transport')
  expect(transport?.bySchool).toEqual([{ highSchoolId: 'sodra', questionCount: 1 }])
  const { board } = await page(sara, { school: ['sodra'] })
  expect([board.schools.length, board.total.countSoFar, board.total.waitingCount]).toEqual([1, 3, 1])
})

test('answers in time are said once there is a first day, and of the year that is worked for', async () => {
  desk.setQuestions(Array.from({ length: 30 }, (_, at) => question(`w${at}`, LONG_AGO)))
  const said = async (settings: typeof defaultWorkSettings, cohort = 2027) => {
    const work = { ...desk.parts.work, getSettings: async () => ({ ...settings, cycle: defaultAdmissionCycle }) }
    const { board, isCurrentCohort, hasWorkStart } = await getInterestPage(testServices({ ...parts, work }), boss, {
      cohort,
    })
    return [isCurrentCohort, hasWorkStart, board.total.judgedCount, board.total.withinGoalShare]
  }
  const begun = { ...defaultWorkSettings, work: { from: null } }
  expect(await said(defaultWorkSettings)).toEqual([true, false, 0, null])
  expect(await said(begun)).toEqual([true, true, 30, 0])
  expect(await said(begun, 2026), 'what is of now is not of a finished year').toEqual([false, true, 0, null])
})

test('every school of the reader is a row, also one to which nobody declared', async () => {
  const names = ['norra', 'sodra', 'vastra', 'ostra'].map((id) => ({ id, name: id }))
  const content = { highSchools: names, unreadable: [] }
  const feed = { ...desk.parts.feed, highSchools: () => ({ ...desk.parts.feed.highSchools(), content }) }
  const reader = requirePermission(
    await desk.addPerson('west', 'manager', ['norra', 'sodra', 'vastra']),
    'interest:read',
  )
  const { board } = await getInterestPage(testServices({ ...parts, feed }), reader, {})
  expect(board.schools.map(({ school, countSoFar }) => [school.id, countSoFar])).toEqual([
    ['norra', 5],
    ['sodra', '<5'],
    ['vastra', 0],
  ])
})
