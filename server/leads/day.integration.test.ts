import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Day } from '@/lib/contract/day'
import { LEAD_LISTS, type QueueName } from '@/lib/contract/lists'
import { queueFilter } from '@/lib/inbox/queues'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { sessions } from '@/server/base/access-schema'
import { preferences, notes } from '@/server/base/schema'
import { listCounts } from './list-counts'
import { listLeads } from './list-leads'
import { listQueue } from './list-queue'
import { openTestDesk, type TestDesk } from './testing/test-desk'
import { protectPerson } from '@/server/privacy/protect'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { changeWorkSettings } from './work'
import { addAttempt } from './attempts'
import { setTriage } from './change-triage'
import { getDay } from './day'

let desk: TestDesk
let sara: Viewer
let omar: Viewer
let ada: Viewer
let nobody: Viewer
/** Has looked at no list yet. */
let eva: Viewer
/** A Friday, nine in Stockholm. */
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const HOUR_MS = 3_600_000

/** Decisions stay in memory, so each test has a desk of its own. */
beforeEach(async () => {
  desk = await openTestDesk()
  sara = await desk.person('sara', 'staff', ['norra'])
  omar = await desk.person('omar', 'staff', ['norra', 'sodra'])
  ada = await desk.person('ada', 'admin', 'all')
  eva = await desk.person('eva', 'staff', ['norra'])
  nobody = await desk.person('nobody', 'staff', [])
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

const dayOf = (viewer: Viewer, school?: string[]) => getDay(desk.parts, allow(viewer, 'leads:read'), { school })
const asked = (id: string) => ({ kind: 'asked-question', id }) as const
const declared = (id: string) => ({ kind: 'declaration-of-interest', id }) as const
const decide = (viewer: Viewer, id: string, change: object) =>
  setTriage(desk.parts, allow(viewer, 'leads:triage'), { leads: [asked(id)], ...change })
const set = (change: Parameters<typeof changeWorkSettings>[2]) => changeWorkSettings(desk.parts, ada, change)

const NAMES: QueueName[] = ['new', 'late', 'dueToday', 'waiting', 'mine', 'followUps', 'snoozed', 'unassigned']

/** Each number of the day, beside the number of rows of the list that its line opens. */
async function expectRows(viewer: Viewer, school?: string[]): Promise<Day> {
  const day = await dayOf(viewer, school)
  for (const list of LEAD_LISTS) {
    const counts = day.byList[list]
    for (const name of NAMES) {
      // On a day that is nobody's last there are no days to ask for.
      const none = name === 'dueToday' && counts.due === null && { id: [] }
      const filter = { ...queueFilter(name, counts.due), ...(school && { school }), ...none }
      const before = await desk.db.select().from(preferences)
      const page = await listLeads(desk.parts, allow(viewer, 'leads:read'), list, { ...filter, offset: 0, limit: 50 })
      // The comparison itself must not count as the visit that makes everything seen.
      await desk.db.delete(preferences)
      if (before.length > 0) await desk.db.insert(preferences).values(before)
      expect([list, name, counts[name]]).toEqual([list, name, page.total])
    }
  }
  for (const name of NAMES)
    expect(day[name]).toBe(day.byList['asked-questions'][name] + day.byList['declarations-of-interest'][name])
  return day
}

describe('the day of work', () => {
  test('has as many of everything as the lists have rows, for every reach', async () => {
    await set({ work: { from: '2026-01-01' } })
    await decide(sara, 'monday', { assignee: 'sara' })
    await decide(omar, 'elsewhere', { snoozeUntil: '2026-11-23' })
    await decide(omar, 'tuesday', { status: 'in-progress', assignee: 'omar' })
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...asked('today'), channel: 'email', outcome: 'sent' })
    const [own, both] = [await expectRows(sara), await expectRows(omar)]
    await expectRows(ada)
    await expectRows(ada, ['sodra'])
    expect(own).toMatchObject({ late: 1, dueToday: 1, waiting: 3, mine: 1, snoozed: 0, unassigned: 2, leads: 5 })
    expect(both).toMatchObject({ late: 2, dueToday: 1, waiting: 5, mine: 1, snoozed: 1, unassigned: 3, leads: 8 })
    expect(await expectRows(nobody)).toMatchObject({ late: 0, waiting: 0, leads: 0, hasSchools: false, oldest: null })
    desk.time.ms = Date.parse('2026-11-23T05:59:00Z')
    expect(await expectRows(omar)).toMatchObject({ followUps: 0, snoozed: 1 })
    desk.time.ms += 60_000
    expect(await expectRows(omar), 'back at seven').toMatchObject({ followUps: 1, snoozed: 0 })
  })

  test('has nobody due on a Sunday, and on Monday who came on Thursday', async () => {
    desk.setQuestions([question('thursday', { createdAt: '2026-11-19T22:30:00Z' })])
    desk.time.ms = Date.parse('2026-11-22T10:00:00Z')
    expect((await expectRows(sara)).byList['asked-questions']).toMatchObject({ due: null, dueToday: 0, late: 0 })
    desk.time.ms = Date.parse('2026-11-23T10:00:00Z')
    const due = { from: '2026-11-19', to: '2026-11-19' }
    expect((await expectRows(sara)).byList['asked-questions']).toMatchObject({ due, dueToday: 1 })
  })

  test('is no visit; what came since the last one is new until the list is opened', async () => {
    expect(await dayOf(eva)).toMatchObject({ new: 5, since: null })
    await listLeads(desk.parts, allow(eva, 'leads:read'), 'asked-questions', { offset: 0, limit: 1 })
    desk.time.ms += 2 * HOUR_MS
    for (let look = 0; look < 3; look++) {
      const day = await dayOf(eva)
      expect(day.since).toBe('2026-11-20T08:00:00.000Z')
      expect(day.byList['asked-questions'].new).toBe(0)
    }
    desk.setQuestions([question('now', { createdAt: '2026-11-20T09:30:00Z' })])
    expect((await expectRows(eva)).byList['asked-questions'].new).toBe(1)
  })

  test('names who has waited longest as a row would, and of a protected identity nothing', async () => {
    await set({ goals: { 'asked-question': 2, 'declaration-of-interest': 2 } })
    expect((await dayOf(sara)).oldest).toMatchObject({ id: 'older', name: null })
    await set({ work: { from: '2026-01-01' } })
    expect((await dayOf(sara)).oldest).toMatchObject({ ...declared('åsa'), name: 'Åsa Öberg', school: 'norra' })
    expect((await dayOf(ada, ['sodra'])).oldest).toMatchObject({ ...asked('tuesday'), name: null })
  })

  test.each([
    [1, 3],
    [3, 1],
    [null, 2],
  ])('names the first of the queue of what is late, with goals of %s and %s days', async (questions, declarations) => {
    await set({ goals: { 'asked-question': questions, 'declaration-of-interest': declarations } })
    await set({ work: { from: '2026-01-01' } })
    const { leads } = await listQueue(desk.parts, allow(ada, 'leads:read'), 'late', { offset: 0, limit: 1 })
    const [{ kind, id } = expect.fail('Nothing is late')] = leads
    expect((await dayOf(ada)).oldest).toMatchObject({ kind, id })
  })
})

describe('what is beside it', () => {
  test('the colleagues of a school in common, with what is left to them within the reader’s reach', async () => {
    await decide(omar, 'monday', { assignee: 'omar' })
    await decide(omar, 'tuesday', { assignee: 'omar' })
    const times = { createdAt: new Date(FRIDAY), lastUsedAt: new Date(FRIDAY), provedAt: new Date(FRIDAY) }
    const session = { id: randomUUID(), userId: 'omar', method: 'password', device: '', address: '' } as const
    await desk.db.insert(sessions).values({ ...session, ...times })
    desk.time.ms += 5 * 60_000
    const { team } = await dayOf(sara)
    expect(team.map(({ id }) => id)).toEqual(['omar', 'ada', 'eva', 'sara'])
    expect(team[0]).toMatchObject({ left: 1, here: '2026-11-20T08:00:00.000Z' })
    expect(team[3]).toMatchObject({ left: 0, here: null })
    desk.time.ms += HOUR_MS
    expect((await dayOf(sara)).team.every(({ here }) => here === null)).toBe(true)
    expect((await dayOf(omar)).team.find(({ id }) => id === 'omar')?.left).toBe(2)
  })

  test('unread mentions of the reader, of leads in scope alone', async () => {
    const mention = async ({ kind, id: leadId }: ReturnType<typeof asked>, unseenBy = ['sara']) => {
      const note = { id: randomUUID(), kind, leadId, authorId: 'omar', sealedText: 'x', unseenBy }
      await desk.db.insert(notes).values({ ...note, createdAt: new Date(desk.time.ms) })
    }
    await mention(asked('monday'))
    await mention(asked('monday'))
    await mention(asked('elsewhere'))
    await mention(asked('today'), [])
    expect(await dayOf(sara)).toMatchObject({ mentions: 1, mentioned: [asked('monday')] })
    expect(await dayOf(omar)).toMatchObject({ mentions: 0, mentioned: [] })
  })

  test('the first answers of this week', async () => {
    const answer = (id: string) =>
      addAttempt(desk.parts, allow(omar, 'leads:reply'), { ...asked(id), channel: 'phone', outcome: 'talked' })
    await answer('today')
    await answer('monday')
    await answer('elsewhere')
    expect((await dayOf(omar)).week, 'in time from when?').toMatchObject({ answered: 3, answeredWithinGoal: null })
    await set({ work: { from: '2026-01-01' } })
    expect((await dayOf(omar)).week).toEqual({ answered: 3, answeredWithinGoal: 2 / 3, medianMinutes: 60 })
    expect((await dayOf(sara)).week).toMatchObject({ answered: 2, answeredWithinGoal: 1 / 2 })
    desk.time.ms += 7 * 24 * HOUR_MS
    expect((await dayOf(omar)).week).toEqual({ answered: 0, answeredWithinGoal: null, medianMinutes: null })
  })
})

/** A desk where `own` is shown the persons whom the test protects, and `other` is not. */
async function protectedDesk() {
  const rights = await openRightsDesk()
  const anna = allow(await rights.person('anna', 'admin', 'all'), 'admin')
  const own = allow(await rights.person('own', 'staff', ['norra']), 'leads:read')
  const other = allow(await rights.person('other', 'staff', ['norra']), 'leads:read')
  const protect = (lead: ReturnType<typeof declaration>, email: string) => {
    const contact = rights.parts.contactIds.encrypt('declaration-of-interest', lead)
    return protectPerson(rights.parts, anna, { contact, emails: [email], phones: [], people: ['own'], reason: 'x' })
  }
  return { rights, anna, own, other, protect }
}

test('of a protected identity nothing is named to whom it is not for, and everything is counted', async () => {
  const { rights, anna, own, other, protect } = await protectedDesk()
  const elsa = declaration('elsa', { createdAt: '2026-11-02T09:00:00Z', firstName: 'Elsa', email: 'elsa@example.se' })
  rights.setDeclarations([elsa, declaration('åsa', { firstName: 'Åsa', createdAt: '2026-11-03T09:00:00Z' })])
  await changeWorkSettings(rights.parts, anna, { goals: { 'asked-question': 2, 'declaration-of-interest': 2 } })
  await protect(elsa, 'elsa@example.se')
  expect(await getDay(rights.parts, own)).toMatchObject({ late: 2, oldest: { id: 'elsa', name: 'Elsa' } })
  expect(await getDay(rights.parts, other)).toMatchObject({ late: 2, oldest: { id: 'elsa', name: null } })
  await rights.close()
})

test('a protected person’s declaration is earlier by when it came, for everybody: the answers do not disclose the year', async () => {
  const { rights, anna, own, other, protect } = await protectedDesk()
  await changeWorkSettings(rights.parts, anna, { work: { from: '2025-01-01' } })
  const of = (id: string, createdAt: string, highSchoolEnrollmentYear: number) =>
    declaration(id, { createdAt, highSchoolEnrollmentYear, firstName: 'Elsa', email: `${id}@example.se` })
  const seenBy = async (reader: typeof own) => {
    const list = 'declarations-of-interest'
    const ids = async (earlier: boolean) => {
      const page = await listLeads(rights.parts, reader, list, { earlier, sort: '-createdAt', offset: 0, limit: 9 })
      return 'declarationsOfInterest' in page ? page.declarationsOfInterest.map(({ id }) => id) : []
    }
    const { waiting } = await getDay(rights.parts, reader)
    const counts = await listCounts(rights.parts, reader, { matching: { list, earlier: false } })
    return { open: await ids(false), earlier: await ids(true), counted: [waiting, counts.waiting, counts.hidden] }
  }
  const before = of('before', '2026-09-15T09:00:00Z', 2027)
  const since = of('since', '2026-09-16T09:00:00Z', 2026)
  rights.setDeclarations([before, since])
  for (const lead of [before, since]) await protect(lead, `${lead.id}@example.se`)
  for (const year of [2025, 2026, 2027, 2028]) {
    rights.setDeclarations([
      of('before', '2026-09-15T09:00:00Z', year),
      of('since', '2026-09-16T09:00:00Z', year),
      of('open', '2026-09-01T09:00:00Z', 2027),
    ])
    const counted = [2, { norra: 2 }, { earlier: 1, snoozed: 0 }]
    const expected = { open: ['since', 'open'], earlier: ['before'], counted }
    expect(await seenBy(other)).toEqual(expected)
    expect(await seenBy(own)).toEqual(expected)
  }
  await rights.close()
})
