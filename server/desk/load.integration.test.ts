import { randomUUID } from 'node:crypto'
import { asc } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LoadMove } from '@/lib/contract/triage'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { protectedPersons } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { encryptPerson } from '@/server/rights/protected-person'
import { changeWorkSettings } from '@/server/settings/work'
import { addAttempt } from '@/server/triage/attempts'
import { setTriage } from '@/server/triage/change-triage'
import { undoTriage } from '@/server/triage/undo-triage'
import { getLoad, getLoadMoves } from './load'

let desk: TestDesk
let sara: Viewer
let omar: Viewer
let ada: Viewer
const open = new Set<string>()
/** A Friday, nine in Stockholm. */
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')

beforeEach(async () => {
  desk = await openTestDesk()
  desk.time.ms = FRIDAY
  open.clear()
  sara = await desk.person('sara', 'staff', ['norra'])
  omar = await desk.person('omar', 'staff', ['norra', 'sodra'])
  ada = await desk.person('ada', 'admin', 'all')
  await desk.person('eva', 'staff', ['sodra'])
  await desk.person('mia', 'manager', 'all')
  await changeWorkSettings(desk.parts, ada, { goals: { 'asked-question': 2, 'declaration-of-interest': null } })
  const createdAt = '2026-11-19T08:00:00Z'
  desk.setQuestions([
    ...Array.from({ length: 6 }, (_, at) => question(`n${at}`, { createdAt })),
    ...Array.from({ length: 3 }, (_, at) => question(`s${at}`, { createdAt, school: 'sodra' })),
    question('late', { createdAt: '2026-11-12T08:00:00Z' }),
  ])
  desk.setDeclarations([declaration('d', { createdAt })])
})
afterEach(() => desk.close())

const asked = (id: string) => ({ kind: 'asked-question', id }) as const
const parts = () => ({
  ...desk.parts,
  presence: { ...desk.parts.presence, peopleAt: ({ id }: { id: string }) => (open.has(id) ? ['eva'] : []) },
})
const may = (viewer: Viewer) => allow(viewer, 'leads:triage')
const load = (viewer: Viewer) => getLoad(parts(), may(viewer))
const movesFor = async (viewer: Viewer) => (await getLoadMoves(parts(), may(viewer))).moves
const give = (ids: readonly string[], assignee: string) =>
  setTriage(desk.parts, may(ada), { leads: ids.map(asked), assignee })
const carryOut = (viewer: Viewer, moves: readonly LoadMove[]) =>
  setTriage(desk.parts, may(viewer), { leads: moves.map(({ from: _from, ...lead }) => lead) })
const waitingOf = async (viewer: Viewer) =>
  Object.fromEntries((await load(viewer)).people.map(({ id, waiting }) => [id, waiting]))

test('the load is of the schools in reach, and names nobody who shares none of them', async () => {
  await give(['n0', 'late'], 'sara')
  await give(['s0'], 'eva')
  await give(['s1', 'n1'], 'omar')
  expect((await load(sara)).schools).toEqual([{ id: 'norra', name: 'norra', waiting: 8, late: 1 }])
  expect(await waitingOf(sara)).toEqual({ sara: 2, omar: 1, ada: 0 })
  expect((await load(sara)).unassigned).toEqual({ waiting: 5, late: 0 })
  expect(await waitingOf(ada)).toEqual({ sara: 2, omar: 2, eva: 1, ada: 0 })
  expect((await load(ada)).people.find(({ id }) => id === 'sara')).toMatchObject({ late: 1 })
})

test('evened out each has as many; nobody gets what is out of their reach, nor what the mover may not see', async () => {
  await give(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'late'], 'sara')
  const moves = await movesFor(sara)
  expect(new Set(moves.map(({ assignee }) => assignee))).toEqual(new Set(['omar']))
  expect(moves).toHaveLength(4)
  expect(await movesFor(ada), 'with the three of Södra').toHaveLength(7)
  await carryOut(ada, await movesFor(ada))
  expect(await waitingOf(ada)).toEqual({ sara: 4, omar: 4, eva: 3, ada: 0 })
  expect(await movesFor(ada)).toEqual([])
})

test('what somebody has begun, has tried or has open stays; who is away gives and gets none', async () => {
  await give(['n0', 'n1', 'n2', 'n3', 'n4'], 'sara')
  await setTriage(desk.parts, may(sara), { leads: [asked('n0')], status: 'in-progress' })
  await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...asked('n1'), channel: 'phone', outcome: 'no-answer' })
  open.add('n2')
  const ids = (await movesFor(ada)).map(({ id }) => id)
  for (const id of ['n0', 'n1', 'n2']) expect(ids).not.toContain(id)
  await changeWorkSettings(desk.parts, ada, { leave: { omar: '2026-11-23' } })
  const moves = await movesFor(ada)
  expect(moves.map(({ assignee }) => assignee)).not.toContain('omar')
  expect(
    moves.map(({ assignee }) => assignee),
    'an administrator without leads',
  ).not.toContain('ada')
})

test('the lead of a protected person stays, since not all may see it', async () => {
  const id = randomUUID()
  const person = { emails: ['a@x.se'], phones: [], leads: [], reason: 'Skyddad folkbokföring', changes: [] }
  const sealedPerson = encryptPerson(desk.parts.seal, id, person)
  desk.setQuestions([question('hers', { email: 'a@x.se', createdAt: '2026-11-19T08:00:00Z' })])
  await desk.db.insert(protectedPersons).values({ id, sealedPerson, allowedUsers: ['sara'], createdAt: new Date() })
  for (const viewer of [sara, ada]) expect((await movesFor(viewer)).map((lead) => lead.id)).toEqual(['d'])
})

test('it is one change, logged lead by lead, and undone as one; what was decided since is left alone', async () => {
  await give(['n0', 'n1', 'n2', 'n3', 'n4', 'n5'], 'sara')
  const before = await waitingOf(ada)
  const moves = await movesFor(ada)
  await setTriage(desk.parts, may(omar), { leads: [asked('s0')], status: 'handled' })
  await desk.db.delete(activity)
  const { changed, conflicts, undo } = await carryOut(ada, moves)
  expect(conflicts.map(({ id }) => id)).toEqual(['s0'])
  const log = await desk.db.select().from(activity).orderBy(asc(activity.id))
  expect(log.map(({ leadId, action }) => [leadId, action]).toSorted()).toEqual(
    changed.map(({ id }) => [id, 'triage-changed']).toSorted(),
  )
  expect(await undoTriage(desk.parts, may(ada), { undo: undo ?? '' })).toEqual({
    restored: changed.length,
    conflicts: 0,
  })
  expect(await waitingOf(ada)).toEqual(before)
})

test('a lead with an assignee of its own who may not see it is passed over', async () => {
  const leads = [
    { ...asked('n0'), assignee: 'sara' },
    { ...asked('s0'), assignee: 'sara' },
    { ...asked('s1'), assignee: 'omar' },
  ]
  const { changed } = await setTriage(desk.parts, may(ada), { leads })
  expect(changed.map(({ id, after }) => [id, after.assignee?.id])).toEqual([
    ['n0', 'sara'],
    ['s1', 'omar'],
  ])
  await expect(setTriage(desk.parts, may(ada), { leads: [{ ...asked('n1'), assignee: 'mia' }] })).rejects.toThrow(
    'assignee',
  )
})
