import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { HOUR_MS } from '@/lib/time/durations'
import type { Admin } from '@/server/access/viewer'
import { sessions } from '@/server/base/access-schema'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { addAttempt } from './attempts'
import { getDay } from './day'
import { getListCounts } from './list-counts'
import { addNote } from './notes'
import { changeWorkSettings } from './work-settings'

let desk: Awaited<ReturnType<typeof openRightsDesk>>
let sara: Admin
let omar: Admin
let ada: Admin

/** A Friday, nine in Stockholm. Decisions stay in memory, so each test has a desk of its own. */
beforeEach(async () => {
  desk = await openRightsDesk()
  sara = await desk.addPerson('sara', 'staff', ['norra'])
  omar = await desk.addPerson('omar', 'staff', ['norra', 'sodra'])
  ada = await desk.addPerson('ada', 'admin', 'all')
  desk.setQuestions([
    question('monday', { createdAt: '2026-11-16T09:00:00Z' }),
    question('tuesday', { createdAt: '2026-11-17T09:00:00Z', school: 'sodra' }),
    question('wednesday', { createdAt: '2026-11-18T09:00:00Z' }),
    question('today', { createdAt: '2026-11-20T07:00:00Z' }),
    question('elsewhere', { createdAt: '2026-11-20T07:00:00Z', school: 'sodra' }),
  ])
  desk.setDeclarations([
    declaration('åsa', { createdAt: '2026-11-12T09:00:00Z', firstName: 'Åsa', lastName: 'Öberg' }),
    declaration('older', { createdAt: '2025-11-12T09:00:00Z', highSchoolEnrollmentYear: 2026 }),
    declaration('bo', { createdAt: '2026-11-20T06:00:00Z', school: 'sodra' }),
  ])
})
afterEach(() => desk.close())

const list = 'declarations-of-interest'
const dayOf = (viewer: Admin, school?: string[]) => getDay(desk.parts, viewer, { school })
const asked = (id: string) => ({ kind: 'asked-question', id }) as const
const set = (change: Parameters<typeof changeWorkSettings>[2]) => changeWorkSettings(desk.parts, ada, change)
const answer = (viewer: Admin, id: string) =>
  addAttempt(desk.parts, viewer, { ...asked(id), channel: 'phone', outcome: 'talked' })

describe('the day of work', () => {
  test('counts what is late, due, waiting, one’s own and put aside within reach', async () => {
    await set({ work: { from: '2026-01-01' } })
    await desk.decide(sara, [asked('monday')], { assignee: 'sara' })
    await desk.decide(omar, [asked('elsewhere')], { snoozeUntil: '2026-11-23' })
    await answer(sara, 'today')
    const ofNorra = { late: 1, dueToday: 1, waiting: 3, mine: 1, snoozed: 0, unassigned: 2, leads: 5 }
    const ofBoth = { late: 2, dueToday: 1, waiting: 5, mine: 0, snoozed: 1, unassigned: 4, leads: 8 }
    expect([await dayOf(sara), await dayOf(omar)]).toMatchObject([ofNorra, ofBoth])
    const nobody = await desk.addPerson('nobody', 'staff', [])
    expect(await dayOf(nobody)).toMatchObject({ leads: 0, hasSchools: false })
    desk.time.ms = Date.parse('2026-11-23T06:00:00Z')
    expect(await dayOf(omar), 'back at seven').toMatchObject({ followUps: 1, snoozed: 0 })
  })

  test.each([
    ['a Sunday nobody', '2026-11-22', { due: null, dueToday: 0, late: 0 }],
    ['Monday who came on Thursday', '2026-11-23', { due: { from: '2026-11-19', to: '2026-11-19' }, dueToday: 1 }],
  ])('has as due on %s', async (_, day, expected) => {
    desk.setQuestions([question('thursday', { createdAt: '2026-11-19T22:30:00Z' })])
    desk.time.ms = Date.parse(`${day}T10:00:00Z`)
    expect((await dayOf(sara)).byList['asked-questions']).toMatchObject(expected)
  })

  test('is no visit; what came since the last one is new until the list is opened', async () => {
    expect(await dayOf(sara)).toMatchObject({ new: 5, since: null })
    await desk.listItems(sara, 'asked-questions')
    desk.time.ms += 2 * HOUR_MS
    expect((await dayOf(sara)).byList['asked-questions'].new).toBe(0)
    desk.setQuestions([question('now', { createdAt: '2026-11-20T09:30:00Z' })])
    const { since, byList } = await dayOf(sara)
    expect([since, byList['asked-questions'].new]).toEqual(['2026-11-20T08:00:00.000Z', 1])
  })

  test('has the colleagues of a school in common, with what is left to them within the reader’s reach', async () => {
    await desk.decide(omar, [asked('monday'), asked('tuesday')], { assignee: 'omar' })
    const at = new Date(desk.time.ms)
    const session = { id: randomUUID(), userId: 'omar', method: 'password', device: '', address: '' } as const
    await desk.db.insert(sessions).values({ ...session, createdAt: at, lastUsedAt: at, provedAt: at })
    desk.time.ms += 5 * 60_000
    expect((await dayOf(sara)).team).toMatchObject([
      { id: 'omar', left: 1, here: '2026-11-20T08:00:00.000Z' },
      { id: 'ada' },
      { id: 'sara', left: 0, here: null },
    ])
    desk.time.ms += HOUR_MS
    expect((await dayOf(omar)).team[0]).toMatchObject({ id: 'omar', left: 2, here: null })
  })

  test('has the reader’s unread mentions, of leads in scope alone', async () => {
    for (const id of ['monday', 'wednesday']) await addNote(desk.parts, omar, { ...asked(id), text: '@sara' })
    desk.setQuestions([question('monday'), question('wednesday', { school: 'sodra' })])
    expect(await dayOf(sara)).toMatchObject({ mentions: 1, mentioned: [asked('monday')] })
  })

  test('has the first answers of this week', async () => {
    for (const id of ['today', 'monday', 'elsewhere']) await answer(omar, id)
    expect((await dayOf(omar)).week, 'in time from when?').toMatchObject({ answered: 3, answeredWithinGoal: null })
    await set({ work: { from: '2026-01-01' } })
    expect((await dayOf(omar)).week).toEqual({ answered: 3, answeredWithinGoal: 2 / 3, medianMinutes: 60 })
    expect((await dayOf(sara)).week).toMatchObject({ answered: 2, answeredWithinGoal: 1 / 2 })
    desk.time.ms += 7 * 24 * HOUR_MS
    expect((await dayOf(omar)).week).toEqual({ answered: 0, answeredWithinGoal: null, medianMinutes: null })
  })
})

describe('a protected person', () => {
  const of = (id: string, createdAt: string, highSchoolEnrollmentYear = 2027) =>
    declaration(id, { createdAt, highSchoolEnrollmentYear, firstName: 'Elsa', email: `${id}@example.se` })

  test('is earlier by when the declaration came, for everybody, so that no answer discloses the year', async () => {
    await set({ work: { from: '2025-01-01' } })
    desk.setQuestions([])
    const leadsOf = (year: number) => [
      of('before', '2026-09-15T09:00:00Z', year),
      of('since', '2026-09-16T09:00:00Z', year),
    ]
    desk.setDeclarations(leadsOf(2026))
    for (const lead of leadsOf(2026)) await desk.protect(ada, lead, ['sara'])
    for (const year of [2025, 2028])
      for (const reader of [omar, sara]) {
        desk.setDeclarations([...leadsOf(year), of('open', '2026-09-01T09:00:00Z')])
        const items = await desk.listItems(reader, list, { earlier: true })
        const { waiting, hidden } = await getListCounts(desk.parts, reader, { matching: { list, earlier: false } })
        expect([items.map(({ id }) => id), waiting, hidden.earlier]).toEqual([['before'], { norra: 2 }, 1])
        expect(await dayOf(reader)).toMatchObject({ waiting: 2 })
      }
  })
})
