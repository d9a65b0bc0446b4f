import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadQuery } from '@/lib/contract/list-query'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { Reader } from '@/server/access/viewer'
import { createUserNameReader } from './user-names'
import { getListCounts } from './list-counts'
import { createListResponder, listLeads } from './list-leads'
import { openTestDesk, type TestDesk } from './testing/test-desk'

const list = 'declarations-of-interest'
const page = { sort: '-createdAt', offset: 0, limit: 2 } as const
let desk: TestDesk
let sara: Reader
let both: Reader
beforeAll(async () => {
  desk = await openTestDesk()
  sara = await desk.addPerson('sara', 'staff', ['norra'])
  both = await desk.addPerson('both', 'staff', ['norra', 'sodra'])
  desk.setDeclarations([...declarations('d1', 'd3', 'd4'), declaration('d2', { school: 'sodra' })])
  desk.setQuestions([question('q1', { email: 'asa@example.se' }), question('q2', { school: 'sodra' })])
})
afterAll(() => desk.close())

const declarations = (...ids: string[]) => ids.map((id) => declaration(id))
const handle = (id: string) => desk.decide(sara, [{ kind: 'declaration-of-interest', id }], { status: 'handled' })
const read = (query: Partial<LeadQuery> = {}, viewer = sara) =>
  listLeads(desk.parts, viewer, list, { ...page, ...query })

test('a page has the leads in scope, with contact, triage and assignee, and how many there are in all', async () => {
  expect(await read()).toMatchObject({ declarationsOfInterest: [{ id: 'd1' }, { id: 'd3' }], total: 3 })
  await desk.decide(sara, [{ kind: 'asked-question', id: 'q1' }], { assignee: 'me' })
  const contactId = desk.getContactId(question('other', { email: 'asa@example.se' }))
  expect(await listLeads(desk.parts, sara, 'asked-questions', page)).toMatchObject({
    askedQuestions: [{ id: 'q1', contactId, triage: { status: 'new', assignee: { id: 'sara', name: 'sara' } } }],
    total: 1,
    snapshot: { version: 1, stale: false },
  })
})

test('while names cannot be read they are those read last', async () => {
  let isAway = true
  const connect = () => (isAway ? Promise.reject(new Error('connection lost')) : desk.parts.connect())
  const readUserNames = createUserNameReader({ ...desk.parts, connect })
  const assignee = async () => {
    const answer = await listLeads({ ...desk.parts, readUserNames }, sara, 'asked-questions', page)
    return 'askedQuestions' in answer && answer.askedQuestions[0]?.triage.assignee?.name
  }
  desk.setQuestions([question('q1')])
  expect(await assignee(), 'before any was read').toBe('')
  isAway = false
  desk.setQuestions([question('q1')])
  expect(await assignee()).toBe('sara')
  desk.setQuestions([question('q1')])
  isAway = true
  expect(await assignee()).toBe('sara')
})

test('the place of a lead is answered on request, in the order of the list; null when it is not in it', async () => {
  expect(await read({ place: 'd3', sort: 'createdAt' })).toMatchObject({ place: 1 })
  expect(await read({ place: 'd2' }), 'out of scope').toMatchObject({ place: null })
  expect(await read({ place: 'd3', q: 'finns inte' })).toMatchObject({ place: null })
})

test('what came later than on screen is left out and counted, in every order', async () => {
  const { newest } = await read()
  const later = ['n1', 'n2'].map((id) => declaration(id, { createdAt: '2026-11-20T07:30:00.000Z' }))
  desk.setDeclarations([...later, ...declarations('d1', 'd3', 'd4')])
  for (const sort of [undefined, 'createdAt', 'name', 'school', 'waiting'] as const) {
    const held = await read({ sort, until: newest ?? undefined, place: 'd3' })
    expect(held).toMatchObject({ total: 3, waiting: 2, newest, place: 1 })
  }
  expect(await read()).toMatchObject({ total: 5, waiting: 0 })
  await handle('n1')
  const until = newest ?? undefined
  const siv = await desk.addPerson('siv', 'staff', ['norra'])
  expect([(await read({ until })).total, (await read({ until }, siv)).total], 'with what is one’s own').toEqual([4, 3])
})

test('a page stays the same for users who do not see the new lead', async () => {
  desk.setDeclarations(declarations('d1'))
  const etags = async () => [(await read()).etag, (await read({}, both)).etag]
  const [saras, others] = await etags()
  expect(saras).not.toBe(others)
  desk.setDeclarations([declaration('d0', { school: 'sodra' }), declaration('d1')])
  expect(await etags()).toEqual([saras, expect.not.stringMatching(others ?? '')])
})

test('an answer is whole where no page is known, else the difference, however fresh the list is', async () => {
  desk.setDeclarations(declarations('d1', 'd3'))
  const { feed } = desk.parts
  const ask = async (query: { known?: string; place?: string } = {}, fresher = {}) => {
    const parts = { ...desk.parts, feed: { ...feed, declarations: () => ({ ...feed.declarations(), ...fresher }) } }
    return (await createListResponder(list)(parts, sara, { ...page, ...query })).json()
  }
  const whole = await ask()
  expect(whole).toMatchObject({ declarationsOfInterest: [{}, {}], total: 2 })
  expect(whole).not.toHaveProperty('etag')
  const { etag: known, declarationsOfInterest } = await ask({ known: 'none' })
  expect(declarationsOfInterest).toHaveLength(2)
  const problem = { kind: 'unavailable', since: desk.time.ms, detail: '' }
  for (const fresher of [{}, { fetchedAt: desk.time.ms }, { nextAt: desk.time.ms }, { version: 2 }, { problem }])
    expect(await ask({ known }, fresher), Object.keys(fresher).join()).toMatchObject({ parts: [[0, 2]], etag: known })
  expect(await ask({ known, place: 'd3' })).toMatchObject({ parts: [[0, 2]], place: 1 })
  await handle('d3')
  expect(await ask({ known })).toMatchObject({ parts: [[0, 1], { id: 'd3', triage: { status: 'handled' } }] })
})

test('leads requested by id are logged as opened, a list is not', async () => {
  const opened: string[] = []
  const add = (user: string, kind: string, ids: readonly string[]) => void opened.push(user, kind, ...ids)
  const parts = { ...desk.parts, leadOpenings: { add, flush: async () => {} } }
  desk.setDeclarations(declarations('d0', 'd1', 'd2'))
  await listLeads(parts, sara, list, page)
  expect(opened).toEqual([])
  await listLeads(parts, sara, list, { ...page, id: ['d1', 'd2', 'd1', 'none'] })
  expect(opened.toSorted()).toEqual(['d1', 'd2', 'declaration-of-interest', 'sara'])
})

test('the counts beside the choices are of schools in scope, follow decisions, and are no visit', async () => {
  desk.setDeclarations([
    declaration('1', { createdAt: '2026-11-20T12:00:00.000Z' }),
    declaration('2', { school: 'sodra' }),
    declaration('3', { school: 'vastra' }),
  ])
  const eva = await desk.addPerson('eva', 'staff', ['norra', 'sodra'])
  const counts = () => getListCounts(desk.parts, eva, { matching: { list } })
  expect((await counts()).school).toEqual({ norra: 1, sodra: 1 })
  await handle('1')
  expect(await counts()).toMatchObject({ total: 2, status: { new: 1, handled: 1 }, fresh: 2, freshSince: null })
  await read({}, eva)
  desk.time.ms += 5 * 3_600_000
  expect(await counts(), 'after a visit').toMatchObject({ fresh: 1, freshSince: '2026-11-20T08:00:00.000Z' })
})
