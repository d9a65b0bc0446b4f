import { isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { jobs } from '@/server/db/job-schema'
import { activity, attempts } from '@/server/db/schema'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { addAttempt } from './attempts'
import { setTriage } from './change-triage'
import { recentChanges } from './recent-changes'
import { undoTriage } from './undo-triage'

const kind = 'declaration-of-interest'
const [a, b, c] = [
  { kind, id: 'a' },
  { kind, id: 'b' },
  { kind, id: 'c' },
] as const
const asked = { kind: 'asked-question', id: 'q' } as const

let desk: TestDesk
let sara: Allowed<'leads:triage'>
let eva: Allowed<'leads:triage'>
beforeAll(async () => {
  desk = await openTestDesk()
  sara = allow(await desk.person('sara', 'staff', ['norra', 'sodra']), 'leads:triage')
  eva = allow(await desk.person('eva', 'staff', ['norra']), 'leads:triage')
})
beforeEach(async () => {
  desk.setDeclarations([declaration('a', { firstName: 'Åsa', lastName: 'Öberg' }), declaration('b'), declaration('c')])
  desk.setQuestions([question('q', { email: 'asa@example.se' })])
  for (const lead of [a, b, c, asked]) {
    await setTriage(desk.parts, sara, { leads: [lead], status: 'new', assignee: 'none' })
  }
  await desk.db.delete(activity)
  desk.time.ms = Date.now()
})
afterAll(() => desk.close())

const changes = async (viewer = sara) => (await recentChanges(desk.parts, viewer)).changes

test('one’s own changes are told newest first, with what became of whom', async () => {
  await setTriage(desk.parts, sara, { leads: [a], status: 'handled' })
  await setTriage(desk.parts, sara, { leads: [b, c], assignee: 'eva' })
  await setTriage(desk.parts, eva, { leads: [asked], status: 'dismissed' })
  await setTriage(desk.parts, sara, { leads: [asked], status: 'in-progress', assignee: 'me' })
  const told = await changes()
  expect(told).toMatchObject([
    { count: 1, status: 'in-progress', assignee: { name: 'sara' }, leads: [{ ...asked, name: 'asa@example.se' }] },
    { count: 2, undoable: 2, assignee: { id: 'eva', name: 'eva' }, leads: [b, c] },
    { count: 1, undoable: 1, status: 'handled', leads: [{ ...a, name: 'Åsa Öberg' }] },
  ])
  expect(told[1]).not.toHaveProperty('status')
  expect(told[2]).not.toHaveProperty('assignee')
})

test('its token takes a change back, and then it is told no more', async () => {
  await setTriage(desk.parts, sara, { leads: [a, b], status: 'handled' })
  const [change] = await changes()
  expect(await undoTriage(desk.parts, sara, { undo: change?.undo ?? '' })).toEqual({ restored: 2, conflicts: 0 })
  expect(await changes()).toEqual([])
})

test('a day on which it comes back is told, also when it is taken away again', async () => {
  await setTriage(desk.parts, sara, { leads: [a], snoozeUntil: '2028-01-07' })
  expect(await changes()).toMatchObject([{ snoozeUntil: '2028-01-07', leads: [a] }])
  expect((await changes())[0]).not.toHaveProperty('status')
  await setTriage(desk.parts, sara, { leads: [a], snoozeUntil: null })
  expect(await changes()).toMatchObject([{ snoozeUntil: null }])
  await setTriage(desk.parts, sara, { leads: [a], status: 'in-progress' })
  expect((await changes())[0]).not.toHaveProperty('snoozeUntil')
})

test('an attempt is told with what was decided with it, and taken back with it', async () => {
  const call = { ...asked, channel: 'phone', outcome: 'call-again' } as const
  await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...call, snoozeUntil: '2028-01-07' })
  const [told, ...others] = await changes()
  expect(others).toEqual([])
  expect(told).toMatchObject({
    attempt: { channel: 'phone', outcome: 'call-again' },
    snoozeUntil: '2028-01-07',
    count: 1,
  })
  expect(await undoTriage(desk.parts, sara, { undo: told?.undo ?? '' })).toEqual({ restored: 1, conflicts: 0 })
  expect(await changes()).toEqual([])
  expect(await desk.db.$count(attempts, isNotNull(attempts.outcome))).toBe(0)
})

test('an attempt alone has its own way back, and colleagues are not told of it', async () => {
  await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...asked, channel: 'email', outcome: 'sent' })
  const [told] = await changes()
  expect(told).toMatchObject({ attempt: { outcome: 'sent' }, leads: [{ ...asked, name: 'asa@example.se' }] })
  expect(told).not.toHaveProperty('status')
  expect(await changes(eva)).toEqual([])
  await undoTriage(desk.parts, sara, { undo: told?.undo ?? '' })
  expect(await changes()).toEqual([])
})

test('of what somebody has changed since, only the rest is told as undoable', async () => {
  await setTriage(desk.parts, sara, { leads: [a, b, c], status: 'handled' })
  await setTriage(desk.parts, eva, { leads: [a], status: 'in-progress' })
  expect(await changes()).toMatchObject([{ count: 3, undoable: 2, leads: [b, c] }])
})

test('a large change names a few; after a day none is told', async () => {
  const many = Array.from({ length: 300 }, (_, at) => declaration(`m${at}`))
  desk.setDeclarations(many)
  await setTriage(desk.parts, sara, { leads: many.map(({ id }) => ({ kind, id })), status: 'dismissed' })
  const [change] = await changes()
  expect(change).toMatchObject({ count: 300, undoable: 300, status: 'dismissed' })
  expect(change?.leads).toHaveLength(3)
  desk.time.ms = Date.parse(change?.at ?? '') + 24 * 3_600_000 + 1
  expect(await changes()).toEqual([])
})

test('who is out of reach is not named', async () => {
  await setTriage(desk.parts, sara, { leads: [a], status: 'handled' })
  desk.setDeclarations([declaration('a', { school: 'vastra' })])
  expect(await changes()).toMatchObject([{ count: 1, leads: [] }])
})

test('what is still under way is told when it has ended, for only the whole of it can be taken back', async () => {
  await setTriage(desk.parts, sara, { leads: [a, b], status: 'handled' })
  const [{ at } = { at: '' }] = await changes()
  const cursor = { at: Date.parse(at) }
  const row = { kind: 'change', userId: 'sara', state: 'running', total: 9, owner: 'another' } as const
  await desk.db.insert(jobs).values({ ...row, cursor, heartbeat: new Date() })
  expect(await changes()).toEqual([])
  await desk.db.update(jobs).set({ state: 'finished' })
  expect(await changes()).toMatchObject([{ count: 2, undoable: 2 }])
})
