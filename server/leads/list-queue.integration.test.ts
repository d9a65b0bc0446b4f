import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LEAD_KINDS, QUEUES, type QueueName } from '@/lib/contract/lists'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type Allowed, allow } from '@/server/access/viewer'
import { preferences } from '@/server/base/schema'
import { getDay } from './day'
import { protectPerson } from '@/server/privacy/protect'
import { testServices } from '@/server/testing/services'
import { changeWorkSettings } from './work'
import { setTriage } from './change-triage'
import { answerQueue, listQueue } from './list-queue'
import { openTestDesk, type TestDesk } from './testing/test-desk'

let desk: TestDesk
let sara: Allowed<'leads:read'>
let omar: Allowed<'leads:read'>
let nobody: Allowed<'leads:read'>
let admin: Allowed<'admin'>

/** A Friday, nine in Stockholm. A question has two working days, a declaration five. */
beforeEach(async () => {
  desk = await openTestDesk()
  sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:read')
  omar = allow(await desk.person('omar', 'staff', ['norra', 'sodra']), 'leads:read')
  nobody = allow(await desk.person('nobody', 'staff', []), 'leads:read')
  const ada = await desk.person('ada', 'admin', 'all')
  admin = allow(ada, 'admin')
  await changeWorkSettings(desk.parts, ada, { goals: { 'asked-question': 2, 'declaration-of-interest': 5 } })
  desk.setQuestions(questions)
  desk.setDeclarations(declarations)
})
afterEach(() => desk.close())

const questions = [
  question('1', { createdAt: '2026-11-19T09:00:00Z' }),
  question('2', { createdAt: '2026-11-17T09:00:00Z' }),
  question('3', { createdAt: '2026-11-18T09:00:00Z', school: 'sodra' }),
]
/** The ids are those of questions too: they are unique within a kind only. */
const declarations = [
  declaration('1', { createdAt: '2026-11-12T09:00:00Z', email: 'elsa@example.se', firstName: 'Elsa' }),
  declaration('2', { createdAt: '2026-11-13T09:00:00Z' }),
  declaration('4', { createdAt: '2026-11-20T06:00:00Z', school: 'sodra' }),
]

const page = { offset: 0, limit: 50 }
const ask = (viewer: Allowed<'leads:read'>, name: QueueName, query: Partial<QueueQuery> = {}) =>
  listQueue(desk.parts, viewer, name, { ...page, ...query })
const keys = ({ leads }: QueuePage) => leads.map(({ kind, id }) => `${kind[0]}${id}`).join(' ')
const decide = (viewer: Allowed<'leads:read'>, kind: (typeof LEAD_KINDS)[number], id: string, change: object) =>
  setTriage(desk.parts, allow(viewer, 'leads:triage'), { leads: [{ kind, id }], ...change })

describe('a queue', () => {
  test('has questions and declarations in the order of their deadlines, those without one last', async () => {
    const whole = await ask(omar, 'waiting')
    expect(keys(whole)).toBe('d1 a2 d2 a3 a1 d4')
    const due = whole.leads.map((lead) => lead.due ?? '')
    expect(due).toEqual(due.toSorted())
    expect([whole.total, whole.waiting, whole.newest]).toEqual([6, 0, '2026-11-20T06:00:00.000Z'])
    await decide(omar, 'asked-question', '2', { status: 'in-progress', assignee: 'omar' })
    await decide(omar, 'declaration-of-interest', '4', { assignee: 'omar' })
    await decide(omar, 'declaration-of-interest', '2', { assignee: 'omar', snoozeUntil: '2026-12-01' })
    expect([keys(await ask(omar, 'mine')), keys(await ask(omar, 'snoozed'))]).toEqual(['a2 d4', 'd2'])
  })

  test('has as many rows as the menu counts, for every reach and school, and of each kind its part', async () => {
    await decide(omar, 'asked-question', '1', { snoozeUntil: '2026-11-19' })
    await decide(omar, 'declaration-of-interest', '1', { assignee: 'omar' })
    for (const viewer of [sara, omar, nobody]) {
      for (const school of [undefined, ['sodra']]) {
        const day = await getDay(desk.parts, viewer, { school })
        for (const name of Object.keys(QUEUES) as QueueName[]) {
          const both = await ask(viewer, name, { school })
          const parts = await Promise.all(LEAD_KINDS.map((kind) => ask(viewer, name, { school, kind })))
          await desk.db.delete(preferences)
          expect([name, both.total]).toEqual([name, day[name]])
          expect(parts.reduce((sum, { total }) => sum + total, 0)).toBe(both.total)
        }
      }
    }
  })

  test('shows nobody a school that is not theirs, and a protected person to the named only', async () => {
    expect(keys(await ask(sara, 'waiting'))).toBe('d1 a2 d2 a1')
    expect(keys(await ask(nobody, 'waiting'))).toBe('')
    const contact = desk.parts.contactIds.encrypt('declaration-of-interest', declarations[0] ?? declaration('1'))
    const reason = { people: ['omar'], reason: 'Skatteverkets beslut', emails: ['elsa@example.se'], phones: [] }
    await protectPerson(testServices(desk.parts), admin, { contact, ...reason })
    const of = async (viewer: Allowed<'leads:read'>) =>
      (await ask(viewer, 'waiting')).leads.find(({ kind, id }) => kind === 'declaration-of-interest' && id === '1')
    expect(await of(sara)).toMatchObject({ protected: { isHidden: true }, user: { firstName: null, email: null } })
    expect(await of(omar)).toMatchObject({ protected: { isHidden: false }, user: { firstName: 'Elsa' } })
    expect(keys(await ask(sara, 'waiting', { q: 'elsa' })), 'no search finds them').toBe('')
    expect(keys(await ask(omar, 'waiting', { q: 'elsa' }))).toBe('d1')
  })

  test('tells a lead’s place by its kind and id, and none of what is not in it', async () => {
    const placeOf = async (place: string, more = {}) => (await ask(omar, 'waiting', { place, ...more })).place
    expect(await placeOf('declaration-of-interest 1')).toBe(0)
    expect(await placeOf('asked-question 1')).toBe(4)
    expect(await placeOf('asked-question 1', { kind: 'asked-question' })).toBe(2)
    expect([await placeOf('asked-question 9'), await placeOf('1')]).toEqual([null, null])
  })

  test('keeps what came later back, wherever it belongs, and counts it', async () => {
    const { newest } = await ask(omar, 'waiting')
    const until = newest ?? ''
    const first = await ask(omar, 'waiting', { until })
    desk.setQuestions([...questions, question('new', { createdAt: '2026-11-20T07:30:00Z' })])
    const held = await ask(omar, 'waiting', { until })
    expect([keys(held), held.total, held.waiting]).toEqual([keys(first), 6, 1])
    expect(keys(await ask(omar, 'waiting'))).toBe('d1 a2 d2 a3 a1 anew d4')
    expect((await ask(omar, 'waiting', { until, place: 'declaration-of-interest 4' })).place).toBe(5)
  })

  test('sends only what differs from a known page', async () => {
    const answer = async (known: string) =>
      (await answerQueue(desk.parts, omar, { name: 'waiting', ...page, known })).json()
    const whole = await answer('none')
    expect(whole.leads).toHaveLength(6)
    await decide(omar, 'declaration-of-interest', '2', { assignee: 'sara' })
    const { parts, etag } = await answer(whole.etag)
    expect(parts).toEqual([[0, 2], expect.objectContaining({ id: '2', kind: 'declaration-of-interest' }), [3, 3]])
    expect(etag).not.toBe(whole.etag)
  })

  test('has another version when either list has', async () => {
    const version = async () => (await ask(omar, 'waiting')).snapshot.version
    const before = await version()
    const { feed } = desk.parts
    for (const list of ['askedQuestions', 'declarations'] as const) {
      const newer = { ...feed, [list]: () => ({ ...feed[list](), version: 99 }) }
      const { snapshot } = await listQueue({ ...desk.parts, feed: newer }, omar, 'waiting', page)
      expect(snapshot.version).not.toBe(before)
    }
  })
})
