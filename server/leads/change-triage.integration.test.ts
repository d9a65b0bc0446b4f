import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { ConflictError, InvalidInputError } from '@/server/base/errors'
import { triage } from '@/server/base/schema'
import { setTriage } from './change-triage'
import { openTestDesk } from './testing/test-desk'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'
const inNorra = { kind, id: 'a' } as const
const inSodra = { kind, id: 'b' } as const
const outOfScope = { kind, id: 'c' } as const

const desk = await openTestDesk()
const sara = await desk.addPerson('sara', 'staff', ['norra', 'sodra'])
const eva = await desk.addPerson('eva', 'staff', ['norra'])
await desk.addPerson('boss', 'manager', 'all')
afterAll(() => desk.close())
beforeEach(async () => {
  const others = [declaration('b', { school: 'sodra' }), declaration('c', { school: 'vastra' })]
  desk.setDeclarations([declaration('a'), ...others])
  // The row is not deleted, because the board hears of changes only.
  await desk.decide(sara, [inNorra, inSodra], { status: 'new', assignee: 'none' })
  desk.time.ms = Date.now()
  desk.events.length = 0
})

const announced = (...schools: string[]) => [{ name: 'triage', list, changes: [{ userId: 'sara', schools }] }]
const statuses = async () => {
  const rows = await desk.db.select().from(triage).orderBy(triage.leadId)
  return rows.map(({ leadId, status }) => `${leadId} ${status}`)
}

test('leads out of scope or gone are skipped', async () => {
  const { changed } = await desk.decide(sara, [inNorra, outOfScope, { kind, id: 'gone' }], { status: 'handled' })
  expect(changed).toMatchObject([{ ...inNorra, after: { status: 'handled', assignee: null } }])
  expect(desk.events).toEqual(announced('norra'))
})

test('a lead is assigned only to users who may work on it', async () => {
  const { changed } = await desk.decide(sara, [inNorra, inSodra], { assignee: 'eva' })
  expect(changed).toMatchObject([{ ...inNorra, after: { assignee: { id: 'eva', name: 'eva' } } }])
  const refused = new InvalidInputError('assignee')
  await expect(desk.decide(sara, [inSodra], { assignee: 'eva' })).rejects.toThrow(refused)
  for (const assignee of ['boss', 'nobody'])
    await expect(desk.decide(sara, [inNorra], { assignee })).rejects.toThrow(refused)
})

test('a change is undone by the same user within a day, and announced', async () => {
  const { undo } = await desk.decide(sara, [inNorra, inSodra], { status: 'handled' })
  await expect(desk.undo(eva, undo)).rejects.toThrow(new InvalidInputError('undo'))
  const ofOtherRelease = desk.parts.seal.encrypt('{"batch":1}', 'undo of sara')
  await expect(desk.undo(sara, ofOtherRelease)).rejects.toThrow(ConflictError)
  desk.time.ms += 25 * 3_600_000
  await expect(desk.undo(sara, undo)).rejects.toThrow(ConflictError)
  desk.time.ms -= 2 * 3_600_000
  desk.events.length = 0
  expect(await desk.undo(sara, undo)).toEqual({ restored: 2, conflicts: 0 })
  expect(desk.events).toEqual(announced('norra', 'sodra'))
  expect(await statuses()).toEqual(['a new', 'b new'])
})

test('all leads in scope that match a filter are changed, and only what is still in scope is undone', async () => {
  const { changed, undo } = await setTriage(desk.parts, sara, { matching: { list }, status: 'handled' })
  expect(changed).toMatchObject([inNorra, inSodra])
  expect(desk.events).toEqual(announced('norra', 'sodra'))
  desk.setDeclarations([declaration('a', { school: 'vastra' }), declaration('b', { school: 'sodra' })])
  desk.events.length = 0
  expect(await desk.undo(sara, undo)).toEqual({ restored: 1, conflicts: 1 })
  expect(desk.events).toEqual(announced('sodra'))
  expect(await statuses()).toEqual(['a handled', 'b new'])
})
