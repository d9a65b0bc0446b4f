import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { LEAD_KINDS, LISTS_BY_KIND, type QueueName, QUEUES } from '@/lib/contract/lists'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { Reader } from '@/server/access/viewer'
import { preferences } from '@/server/base/schema'
import { getDay } from './day'
import { listQueue } from './list-queue'
import { openTestDesk, type TestDesk } from './testing/test-desk'
import { changeWorkSettings } from './work-settings'

let desk: TestDesk
let sara: Reader
let omar: Reader
let nobody: Reader

/** A Friday, nine in Stockholm. A question has two working days, a declaration five. */
beforeEach(async () => {
  desk = await openTestDesk()
  sara = await desk.addPerson('sara', 'staff', ['norra'])
  omar = await desk.addPerson('omar', 'staff', ['norra', 'sodra'])
  nobody = await desk.addPerson('nobody', 'staff', [])
  const ada = await desk.addPerson('ada', 'admin', 'all')
  await changeWorkSettings(desk.parts, ada, { goals: { 'asked-question': 2, 'declaration-of-interest': 5 } })
  desk.setQuestions(questions)
  desk.setDeclarations([
    declaration('1', { createdAt: '2026-11-12T09:00:00Z' }),
    declaration('2', { createdAt: '2026-11-13T09:00:00Z' }),
    declaration('4', { createdAt: '2026-11-20T06:00:00Z', school: 'sodra' }),
  ])
})
afterEach(() => desk.close())

/** Declarations have ids of questions too: they are unique within a kind only. */
const questions = [
  question('1', { createdAt: '2026-11-19T09:00:00Z' }),
  question('2', { createdAt: '2026-11-17T09:00:00Z' }),
  question('3', { createdAt: '2026-11-18T09:00:00Z', school: 'sodra' }),
]
const asked = (id: string) => ({ kind: 'asked-question', id }) as const
const declared = (id: string) => ({ kind: 'declaration-of-interest', id }) as const

const page = { offset: 0, limit: 50 }
const read = (viewer: Reader, name: QueueName, query: Partial<QueueQuery> = {}) =>
  listQueue(desk.parts, viewer, name, { ...page, ...query })
const keys = ({ leads }: QueuePage) => leads.map(({ kind, id }) => `${kind[0]}${id}`).join(' ')

describe('a queue', () => {
  test('has questions and declarations of the schools in scope, by deadline', async () => {
    const whole = await read(omar, 'waiting')
    expect(keys(whole)).toBe('d1 a2 d2 a3 a1 d4')
    expect([whole.total, whole.waiting, whole.newest]).toEqual([6, 0, '2026-11-20T06:00:00.000Z'])
    expect(keys(await read(sara, 'waiting'))).toBe('d1 a2 d2 a1')
    expect(keys(await read(nobody, 'waiting'))).toBe('')
    await desk.decide(omar, [asked('2')], { status: 'in-progress', assignee: 'omar' })
    await desk.decide(omar, [declared('4')], { assignee: 'omar' })
    await desk.decide(omar, [declared('2')], { assignee: 'omar', snoozeUntil: '2026-12-01' })
    expect([keys(await read(omar, 'mine')), keys(await read(omar, 'snoozed'))]).toEqual(['a2 d4', 'd2'])
    const eva = await desk.addPerson('eva', 'staff', ['norra', 'sodra'])
    expect(keys(await read(eva, 'mine')), 'of the same reach').toBe('')
  })

  test('has as many rows as the menu counts, and of each kind its part, for every reach, school and day', async () => {
    await desk.decide(omar, [asked('1')], { snoozeUntil: '2026-11-23' })
    await desk.decide(omar, [declared('1')], { assignee: 'omar' })
    const expectRows = async (viewer: Reader, school?: string[]) => {
      const day = await getDay(desk.parts, viewer, { school })
      for (const name of Object.keys(QUEUES) as QueueName[]) {
        const parts = await Promise.all(LEAD_KINDS.map((kind) => read(viewer, name, { school, kind })))
        const both = await read(viewer, name, { school })
        // Reading must not count as the visit that makes everything seen.
        await desk.db.delete(preferences)
        const counted = LEAD_KINDS.map((kind) => day.byList[LISTS_BY_KIND[kind].list][name])
        expect([name, both.total, ...parts.map(({ total }) => total)]).toEqual([name, day[name], ...counted])
      }
    }
    for (const viewer of [sara, omar, nobody]) await expectRows(viewer)
    await expectRows(omar, ['sodra'])
    desk.time.ms = Date.parse('2026-11-22T10:00:00Z')
    await expectRows(omar)
    desk.time.ms = Date.parse('2026-11-23T06:00:00Z')
    await expectRows(omar)
  })

  test('tells a lead’s place by its kind and id, and none of what is not in it', async () => {
    const placeOf = async (place: string, more = {}) => (await read(omar, 'waiting', { place, ...more })).place
    expect(await placeOf('declaration-of-interest 1')).toBe(0)
    expect(await placeOf('asked-question 1')).toBe(4)
    expect(await placeOf('asked-question 1', { kind: 'asked-question' })).toBe(2)
    expect([await placeOf('asked-question 9'), await placeOf('1')]).toEqual([null, null])
  })

  test('leaves out what came later, wherever it belongs, and counts it', async () => {
    const until = (await read(omar, 'waiting')).newest ?? ''
    desk.setQuestions([...questions, question('new', { createdAt: '2026-11-20T07:30:00Z' })])
    const held = await read(omar, 'waiting', { until, place: 'declaration-of-interest 4' })
    expect([keys(held), held.total, held.waiting, held.place]).toEqual(['d1 a2 d2 a3 a1 d4', 6, 1, 5])
    expect(keys(await read(omar, 'waiting'))).toBe('d1 a2 d2 a3 a1 anew d4')
    await desk.decide(omar, [asked('new')], { status: 'in-progress' })
    const eva = await desk.addPerson('eva', 'staff', ['norra', 'sodra'])
    const totals = [(await read(omar, 'waiting', { until })).total, (await read(eva, 'waiting', { until })).total]
    expect(totals, 'with what is omar’s own').toEqual([7, 6])
  })

  test('of what is new has what came since the last visit of the user, also for two of one reach', async () => {
    const eva = await desk.addPerson('eva', 'staff', ['norra', 'sodra'])
    await read(omar, 'new')
    desk.time.ms += 3_600_000
    expect([(await read(eva, 'new')).total, (await read(omar, 'new')).total]).toEqual([6, 0])
  })

  test.each(['askedQuestions', 'declarations'] as const)('has another version when %s have', async (list) => {
    const { feed } = desk.parts
    const newer = { ...feed, [list]: () => ({ ...feed[list](), version: 99 }) }
    const { snapshot } = await listQueue({ ...desk.parts, feed: newer }, omar, 'waiting', page)
    expect(snapshot.version).not.toBe((await read(omar, 'waiting')).snapshot.version)
  })
})
