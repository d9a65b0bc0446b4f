import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { activity, triage } from '@/server/base/schema'
import { ConflictError, ForbiddenError, InvalidInputError } from '@/server/base/errors'
import { openTestDesk } from './testing/test-desk'
import { setTriage } from './change-triage'
import { changeTriage } from './write-triage'
import { undoTriage } from './undo-triage'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'
const [a, b, c] = [{ kind, id: 'a' } as const, { kind, id: 'b' } as const, { kind, id: 'c' } as const]
const asked = { kind: 'asked-question', id: 'q' } as const

const desk = await openTestDesk()
const sara = allow(await desk.person('sara', 'staff', ['norra', 'sodra']), 'leads:triage')
const eva = allow(await desk.person('eva', 'staff', ['norra']), 'leads:triage')
const boss = await desk.person('boss', 'manager', 'all')
afterAll(() => desk.close())

type Change = Omit<Parameters<typeof setTriage>[2], 'leads' | 'matching'>
const set = (viewer: typeof sara, leads: Parameters<typeof setTriage>[2]['leads'], change: Change) =>
  setTriage(desk.parts, viewer, { leads, ...change })
const undone = (undo: string | null | undefined, viewer = sara) => undoTriage(desk.parts, viewer, { undo: undo ?? '' })
/** The leads of the test, as nobody has decided about them. Not deleted: the board hears of changes only. */
async function begin(leads: readonly (typeof a | typeof b | typeof c | typeof asked)[]) {
  for (const lead of leads) await set(sara, [lead], { status: 'new', assignee: 'none' })
  await desk.db.delete(activity)
  desk.time.ms = Date.now()
  desk.events.length = 0
}

describe('a change', () => {
  beforeEach(async () => {
    const [one, other] = [declaration('b', { school: 'sodra' }), declaration('c', { school: 'vastra' })]
    desk.setDeclarations([declaration('a'), one, other])
    await begin([a, b])
  })

  test('what lies out of scope is passed over', async () => {
    const { changed } = await set(sara, [a, c, { kind, id: 'gone' }], { status: 'handled' })
    expect(changed).toMatchObject([{ ...a, after: { status: 'handled', assignee: null } }])
    await expect(changeTriage(desk.parts, boss, [a], { status: 'handled' })).rejects.toThrow(ForbiddenError)
    expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['norra'] }] }])
  })

  test('nobody is assigned what they may not see', async () => {
    const { changed } = await set(sara, [a, b], { assignee: 'eva' })
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

  test('a change is undone by the same user within a day, and announced', async () => {
    const { undo } = await set(sara, [a, b], { status: 'handled' })
    await expect(undone(undo, eva)).rejects.toThrow(new InvalidInputError('undo'))
    desk.time.ms += 25 * 3_600_000
    await expect(undone(undo)).rejects.toThrow(ConflictError)
    desk.time.ms -= 2 * 3_600_000
    desk.events.length = 0
    expect(await undone(undo)).toEqual({ restored: 2, conflicts: 0 })
    expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['norra', 'sodra'] }] }])
    const stored = await desk.db.select({ status: triage.status }).from(triage)
    expect(stored).toEqual([{ status: 'new' }, { status: 'new' }])
  })

  test('of what was changed only that is undone which is still in scope', async () => {
    const { undo } = await set(sara, [a, b], { status: 'handled' })
    desk.setDeclarations([declaration('a', { school: 'vastra' }), declaration('b', { school: 'sodra' })])
    desk.events.length = 0
    expect(await undone(undo)).toEqual({ restored: 1, conflicts: 1 })
    expect(desk.events).toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['sodra'] }] }])
    const stored = await desk.db.select({ id: triage.leadId, status: triage.status }).from(triage)
    expect(stored).toContainEqual({ id: 'a', status: 'handled' })
    expect(stored).toContainEqual({ id: 'b', status: 'new' })
  })

  test('all that match are changed as one, and undone as one', async () => {
    desk.setDeclarations(Array.from({ length: 2_100 }, (_, index) => declaration(`n${index}`)))
    const { changed, conflicts, undo } = await setTriage(desk.parts, sara, { matching: { list }, status: 'handled' })
    const expected = { kind, before: { status: 'new' }, after: { status: 'handled', assignee: null } }
    expect(changed).toHaveLength(2_100)
    expect(changed.find(({ id }) => id === 'n2099')).toMatchObject(expected)
    expect(new Set(changed.map(({ after }) => after.updatedAt)).size).toBe(1)
    expect(conflicts).toEqual([])
    expect(desk.events, 'told once').toEqual([{ name: 'triage', list, changes: [{ by: 'sara', schools: ['norra'] }] }])
    expect(await undone(undo)).toEqual({ restored: 2_100, conflicts: 0 })
  })
})
