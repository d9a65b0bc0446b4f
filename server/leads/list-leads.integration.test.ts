import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type Allowed, allow } from '@/server/access/viewer'
import { preferences } from '@/server/base/schema'
import { changeTriage } from './write-triage'
import { createTriageBoard } from './triage-board'
import { listCounts } from './list-counts'
import { answerList, listLeads } from './list-leads'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'

type TriageBoard = TestDesk['parts']['triage']
const createBoard = (connect: TestDesk['parts']['connect']) => createTriageBoard({ connect, onUnreachable: () => {} })
const list = 'declarations-of-interest'
const page = { sort: '-createdAt', offset: 0, limit: 2 } as const
let desk: TestDesk
let sara: Allowed<'leads:read'>
beforeAll(async () => {
  desk = await openTestDesk()
  sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:read')
  desk.setDeclarations([...['d1', 'd3', 'd4'].map((id) => declaration(id)), declaration('d2', { school: 'sodra' })])
  desk.setQuestions([question('q1', { email: 'asa@example.se' }), question('q2', { school: 'sodra' })])
})
afterAll(() => desk.close())

test('a page of either list has its leads in scope under its own name, and how many there are in all', async () => {
  const declarations = await listLeads(desk.parts, sara, list, page)
  expect(declarations).toMatchObject({ declarationsOfInterest: [{ id: 'd1' }, { id: 'd3' }], total: 3 })
  const questions = await listLeads(desk.parts, sara, 'asked-questions', page)
  expect(questions).toMatchObject({ askedQuestions: [{ id: 'q1' }], total: 1, snapshot: { version: 1, stale: false } })
})

test('each lead has its triage and its assignee', async () => {
  await changeTriage(desk.parts, sara, [{ kind: 'asked-question', id: 'q1' }], { assigneeId: 'sara' })
  const contactId = desk.parts.contactIds.encrypt('asked-question', question('other', { email: 'asa@example.se' }))
  expect(await listLeads(desk.parts, sara, 'asked-questions', page)).toMatchObject({
    askedQuestions: [{ id: 'q1', contactId, triage: { status: 'new', assignee: { id: 'sara', name: 'sara' } } }],
  })
  expect(await listLeads(desk.parts, sara, 'asked-questions', { ...page, q: 'finns inte' })).toMatchObject({ total: 0 })
})

test('while names cannot be read they are those read last, and a page without them is not shared', async () => {
  let isAway = false
  const connect = async () => {
    if (isAway) throw new Error('connection lost')
    return desk.db
  }
  const nameBy = async (triage: TriageBoard) => {
    const answer = await listLeads({ ...desk.parts, triage }, sara, 'asked-questions', page)
    return 'askedQuestions' in answer && answer.askedQuestions[0]?.triage.assignee?.name
  }
  desk.setQuestions([question('q1')])
  const [known, fresh] = [createBoard(connect), createBoard(connect)]
  expect(await nameBy(known)).toBe('sara')
  await fresh.current('asked-question')
  isAway = true
  desk.setQuestions([question('q1')])
  expect([await nameBy(fresh), await nameBy(known)]).toEqual(['', 'sara'])
  desk.setQuestions([question('q1')])
  expect(await nameBy(fresh)).toBe('')
  isAway = false
  expect(await nameBy(fresh)).toBe('sara')
})

test('the place of a lead is in the answer where it is asked for, in the order of the list; null when it is not in it', async () => {
  const placeOf = async (place: string, more: object = {}) =>
    (await listLeads(desk.parts, sara, list, { ...page, place, ...more })).place
  expect(await placeOf('d3')).toBe(1)
  expect(await placeOf('d3', { sort: 'createdAt' })).toBe(1)
  expect(await placeOf('d1', { sort: 'createdAt' })).toBe(2)
  expect(await placeOf('d2'), 'out of scope').toBeNull()
  expect(await placeOf('d3', { q: 'finns inte' })).toBeNull()
  expect(await listLeads(desk.parts, sara, list, page)).not.toHaveProperty('place')
})

test('what came later than on screen is left out and counted, in every order', async () => {
  const later = ['n1', 'n2'].map((id) => declaration(id, { createdAt: '2026-11-20T07:30:00.000Z' }))
  const { newest } = await listLeads(desk.parts, sara, 'declarations-of-interest', page)
  desk.setDeclarations([...later, ...['d1', 'd3', 'd4'].map((id) => declaration(id))])
  for (const sort of [undefined, 'createdAt', 'name', 'school', 'waiting'] as const) {
    const query = { ...page, sort, until: newest ?? undefined, place: 'd3' }
    const held = await listLeads(desk.parts, sara, 'declarations-of-interest', query)
    expect(held).toMatchObject({ total: 3, waiting: 2, newest, place: 1 })
    expect(await listLeads(desk.parts, sara, 'declarations-of-interest', page)).toMatchObject({ total: 5, waiting: 0 })
  }
})

test('a page stays the same for users who do not see the new lead', async () => {
  desk.setDeclarations([declaration('d1')])
  const nils = allow(await desk.person('nils', 'staff', ['norra', 'sodra']), 'leads:read')
  const etags = () =>
    Promise.all([sara, nils].map(async (viewer) => (await listLeads(desk.parts, viewer, list, page)).etag))
  const before = await etags()
  expect(before[0]).not.toBe(before[1])
  desk.setDeclarations([declaration('d0', { school: 'sodra' }), declaration('d1')])
  const after = await etags()
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
})

test('an answer is whole for whom nothing is known of, and says nothing twice', async () => {
  desk.setDeclarations([declaration('d1'), declaration('d3')])
  const answer = answerList(list)
  const ask = async (known?: string) => answer(desk.parts, sara, { ...page, known })
  const whole = await (await ask()).json()
  expect(whole).toMatchObject({ declarationsOfInterest: [expect.anything(), expect.anything()], total: 2 })
  expect(whole).not.toHaveProperty('etag')
  const known = await (await ask('none')).json()
  expect(known.declarationsOfInterest).toHaveLength(2)
  expect(await (await ask(known.etag)).json()).toMatchObject({ parts: [[0, 2]], total: 2, etag: known.etag })
  const { feed } = desk.parts
  for (const fresher of [
    { fetchedAt: desk.time.ms },
    { nextAt: desk.time.ms },
    { version: 2 },
    { problem: { kind: 'unavailable', since: desk.time.ms, detail: '' } as const },
  ]) {
    const parts = { ...desk.parts, feed: { ...feed, declarations: () => ({ ...feed.declarations(), ...fresher }) } }
    const fresh = await answer(parts, sara, { ...page, known: known.etag })
    expect(await fresh.json(), Object.keys(fresher).join()).toMatchObject({ parts: [[0, 2]], etag: known.etag })
  }
  const placed = await answer(desk.parts, sara, { ...page, known: known.etag, place: 'd3' })
  expect(await placed.json(), 'a place is sent whatever is known of the page').toMatchObject({ place: 1 })
  await changeTriage(desk.parts, sara, [{ kind: 'declaration-of-interest', id: 'd3' }], { status: 'handled' })
  expect(await (await ask(known.etag)).json()).toMatchObject({
    parts: [[0, 1], { id: 'd3', triage: { status: 'handled' } }],
  })
})

test('screens that hold back leads since different moments share the items of what they show', async () => {
  desk.setDeclarations([declaration('d1'), declaration('d3'), declaration('d4')])
  const described: string[] = []
  const { triage } = desk.parts
  const counting: TriageBoard = {
    ...triage,
    describe: (triageOf, ids, more) => {
      described.push(...ids)
      return triage.describe(triageOf, ids, more)
    },
  }
  const ask = (until?: string) => listLeads({ ...desk.parts, triage: counting }, sara, list, { ...page, until })
  await ask()
  for (const until of ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']) await ask(until)
  expect(described).toEqual(['d1', 'd3'])
})

test('leads asked for by id are logged as opened, a list is not', async () => {
  const opened: string[] = []
  const add = (user: string, kind: string, ids: readonly string[]) => void opened.push(user, kind, ...ids)
  const openings = { add, flush: async () => {} }
  const ask = (more: object) => listLeads({ ...desk.parts, openings }, sara, list, { ...page, ...more })
  desk.setDeclarations([declaration('d0'), declaration('d1'), declaration('d2')])
  await ask({})
  expect(opened).toEqual([])
  await ask({ id: ['d1', 'd2', 'd1', 'none'] })
  expect(opened.toSorted()).toEqual(['d1', 'd2', 'declaration-of-interest', 'sara'])
})

describe('the numbers beside the choices', () => {
  let eva: Allowed<'leads:read'>
  beforeAll(async () => {
    eva = allow(await desk.person('eva', 'staff', ['norra', 'sodra']), 'leads:read')
    desk.setDeclarations([
      declaration('1', { createdAt: '2026-11-20T12:00:00.000Z' }),
      declaration('2', { school: 'sodra', highSchoolEnrollmentYear: 2028 }),
      declaration('3', { school: 'vastra' }),
    ])
  })

  test('only schools in scope are counted, and a change of triage at once', async () => {
    const before = await listCounts(desk.parts, eva, { matching: { list, school: ['norra'] } })
    expect(before).toMatchObject({ total: 1, school: { norra: 1, sodra: 1 }, year: { 2027: 1 }, status: { new: 1 } })
    expect(before.school).not.toHaveProperty('vastra')
    await changeTriage(desk.parts, eva, [{ kind: 'declaration-of-interest', id: '1' }], { assigneeId: 'eva' })
    expect(await listCounts(desk.parts, eva, { matching: { list } })).toMatchObject({
      total: 2,
      assignee: { eva: 1, none: 1 },
    })
  })

  test('counting is no visit; after a visit, what came since is fresh', async () => {
    expect(await desk.db.$count(preferences, eq(preferences.userId, 'eva'))).toBe(0)
    expect(await listCounts(desk.parts, eva, { matching: { list } })).toMatchObject({ fresh: 2, freshSince: null })
    await listLeads(desk.parts, eva, list, { sort: 'createdAt', offset: 0, limit: 1 })
    desk.time.ms += 5 * 3_600_000
    expect(await listCounts(desk.parts, eva, { matching: { list } })).toMatchObject({
      fresh: 1,
      freshSince: '2026-11-20T08:00:00.000Z',
    })
  })
})
