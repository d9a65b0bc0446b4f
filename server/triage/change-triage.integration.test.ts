import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { triageProgressSchema } from '@/lib/contract/triage'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Allowed, type Viewer } from '@/server/access/viewer'
import { activity, triage } from '@/server/db/schema'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { answerTriage, setTriage, streamTriage } from './change-triage'
import { changeTriage } from './triage-jobs'
import { undoTriage } from './undo-triage'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'
const [a, b, c] = [
  { kind, id: 'a' },
  { kind, id: 'b' },
  { kind, id: 'c' },
] as const

let desk: TestDesk
const logger = { error: () => {} }
let sara: Allowed<'leads:triage'>
let eva: Allowed<'leads:triage'>
let boss: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  sara = allow(await desk.person('sara', 'staff', ['norra', 'sodra']), 'leads:triage')
  eva = allow(await desk.person('eva', 'staff', ['norra']), 'leads:triage')
  boss = await desk.person('boss', 'manager', 'all')
})
beforeEach(async () => {
  await desk.db.delete(activity)
  // Not deleted: the board in memory is told of changes only, as by every other writer.
  desk.setDeclarations([
    declaration('a'),
    declaration('b', { school: 'sodra' }),
    declaration('c', { school: 'vastra' }),
  ])
  for (const lead of [a, b]) await setTriage(desk.parts, sara, { leads: [lead], status: 'new', assignee: 'none' })
  desk.time.ms = Date.now()
  desk.events.length = 0
})
afterAll(() => desk.close())

test('what lies out of reach is passed over, and nothing left is not found', async () => {
  const { changed } = await setTriage(desk.parts, sara, { leads: [a, c, { kind, id: 'gone' }], status: 'handled' })
  expect(changed).toMatchObject([{ ...a, after: { status: 'handled', assignee: null } }])
  await expect(setTriage(desk.parts, sara, { leads: [c], status: 'handled' })).rejects.toThrow(NotFoundError)
  expect(() => allow(boss, 'leads:triage')).toThrow(ForbiddenError)
  await expect(changeTriage(desk.parts, boss, [a], { status: 'handled' })).rejects.toThrow(ForbiddenError)
  expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['norra'] }] }])
})

test('nobody is assigned what they may not see', async () => {
  const { changed } = await setTriage(desk.parts, sara, { leads: [a, b], assignee: 'eva' })
  expect(changed).toMatchObject([{ ...a, after: { assignee: { id: 'eva', name: 'eva' } } }])
  for (const [leads, assignee] of [
    [[b], 'eva'],
    [[a], 'boss'],
    [[a], 'nobody'],
  ] as const) {
    await expect(setTriage(desk.parts, sara, { leads: [...leads], assignee })).rejects.toThrow(
      new InvalidInputError('assignee'),
    )
  }
})

test('who acts on what has changed meanwhile is told how it is now', async () => {
  const { changed } = await setTriage(desk.parts, sara, { leads: [a], status: 'in-progress' })
  const seen = changed[0]?.before.updatedAt ?? null
  expect(await setTriage(desk.parts, eva, { leads: [{ ...a, updatedAt: seen }], status: 'dismissed' })).toMatchObject({
    changed: [],
    conflicts: [{ ...a, now: { status: 'in-progress', updatedAt: changed[0]?.after.updatedAt } }],
    undo: null,
  })
})

test('a change is undone by the same person within a day, and told', async () => {
  const { undo } = await setTriage(desk.parts, sara, { leads: [a, b], status: 'handled' })
  await expect(undoTriage(desk.parts, eva, { undo: undo ?? '' })).rejects.toThrow(new InvalidInputError('undo'))
  desk.time.ms += 25 * 3_600_000
  await expect(undoTriage(desk.parts, sara, { undo: undo ?? '' })).rejects.toThrow(ConflictError)
  desk.time.ms -= 2 * 3_600_000
  desk.events.length = 0
  expect(await undoTriage(desk.parts, sara, { undo: undo ?? '' })).toEqual({ restored: 2, conflicts: 0 })
  expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['norra', 'sodra'] }] }])
  const stored = await desk.db.select({ status: triage.status }).from(triage)
  expect(stored).toEqual([{ status: 'new' }, { status: 'new' }])
})

test('of what was changed only that is undone which is still within reach', async () => {
  const { undo } = await setTriage(desk.parts, sara, { leads: [a, b], status: 'handled' })
  desk.setDeclarations([declaration('a', { school: 'vastra' }), declaration('b', { school: 'sodra' })])
  desk.events.length = 0
  expect(await undoTriage(desk.parts, sara, { undo: undo ?? '' })).toEqual({ restored: 1, conflicts: 1 })
  expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['sodra'] }] }])
  const stored = await desk.db.select({ id: triage.leadId, status: triage.status }).from(triage)
  expect(stored).toContainEqual({ id: 'a', status: 'handled' })
  expect(stored).toContainEqual({ id: 'b', status: 'new' })
})

test('all that match are changed with progress, line by line, and can be undone together', async () => {
  desk.setDeclarations(Array.from({ length: 600 }, (_, index) => declaration(`n${index}`)))
  const asked = new Request('http://x.test/', { headers: { accept: 'application/x-ndjson' } })
  const parts = { ...desk.parts, logger }
  const answer = await answerTriage(parts, sara, { matching: { list }, status: 'handled' }, { request: asked })
  if (!(answer instanceof Response)) throw new Error('no lines')
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = (await answer.text()).trim().split('\n')
  const told = lines.map((line) => triageProgressSchema.parse(JSON.parse(line)))
  expect(told.slice(0, -1)).toEqual([0, 250, 500, 600].map((done) => ({ done, total: 600 })))
  const last = told.at(-1)
  expect(last).toMatchObject({ changed: 600, conflicts: 0 })
  const undo = last && 'undo' in last ? last.undo : null
  expect(await undoTriage(desk.parts, sara, { undo: undo ?? '' })).toEqual({ restored: 600, conflicts: 0 })
})

test('a reader who goes away has changed nothing', async () => {
  desk.setDeclarations(Array.from({ length: 600 }, (_, index) => declaration(`m${index}`)))
  const answer = await streamTriage(
    { ...desk.parts, logger },
    sara,
    { matching: { list }, status: 'handled' },
    new Request('http://x.test/'),
  )
  const reader = answer.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  const { changed } = await setTriage(desk.parts, sara, { matching: { list }, status: 'in-progress' })
  expect(changed.map(({ before }) => before.status)).toEqual(Array(600).fill('new'))
})
