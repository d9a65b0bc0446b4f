import { afterAll, beforeEach, expect, test } from 'vitest'
import type { SchoolScope } from '@/lib/contract/user'
import { declaration } from '@/lib/leads/testing/leads'
import type { Reader } from '@/server/access/viewer'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { activity, savedViews } from '@/server/base/schema'
import { addView, deleteView, listViews } from './saved-views'
import { openTestDesk } from './testing/test-desk'

const list = 'declarations-of-interest'
const desk = await openTestDesk()
const parts = desk.parts
const reader = async (id: string, schools: SchoolScope) =>
  await desk.person(id, schools === 'all' ? 'admin' : 'staff', schools)
const sara = await reader('sara', ['norra'])
const siv = await reader('siv', ['norra'])
const nils = await reader('nils', ['sodra'])
const both = await reader('both', ['norra', 'sodra'])
const anna = await reader('anna', 'all')
beforeEach(async () => {
  await desk.db.delete(savedViews)
  desk.setDeclarations([
    declaration('1', { firstName: 'Åsa' }),
    declaration('2', { firstName: 'Åsa', school: 'sodra' }),
    declaration('3', { firstName: 'Erik', school: 'sodra' }),
  ])
})
afterAll(() => desk.close())

const add = (viewer: Reader, name: string, query: object, shared: boolean) => {
  desk.time.ms += 1_000
  return addView(parts, viewer, { list, name, query, shared })
}
const seen = async (viewer: Reader) =>
  (await listViews(parts, viewer)).views.map(({ name, count, own }) => `${name} ${count}${own ? ' own' : ''}`)

test('a shared view counts for each what they may see, a private one is its owner’s alone', async () => {
  await add(sara, 'Åsor', { q: 'asa', sort: 'name' }, true)
  const mine = await add(nils, 'Mina', { status: ['in-progress'] }, false)
  expect(mine).toMatchObject({ own: true, count: 0 })
  await add(sara, 'Södra', { school: ['sodra'] }, true)
  expect(await seen(sara)).toEqual(['Åsor 1 own', 'Södra 0 own'])
  expect(await seen(nils)).toEqual(['Mina 0 own'])
  expect(await seen(both)).toEqual(['Åsor 2', 'Södra 2'])
  expect(await seen(siv), 'without what is about other schools alone').toEqual(['Åsor 1'])
  expect(await seen(anna)).toEqual(['Åsor 2 own', 'Södra 2 own'])
  await desk.decide(nils, [{ kind: 'declaration-of-interest', id: '3' }], { status: 'in-progress' })
  expect(await seen(nils)).toEqual(['Mina 1 own'])
  desk.setDeclarations([declaration('1', { firstName: 'Åsa' })])
  expect([await seen(nils), await seen(both)]).toEqual([['Mina 0 own'], ['Åsor 1', 'Södra 0']])
})

test('nothing that was searched for lies in the database, and a text moved to another row is not read', async () => {
  await add(sara, 'Åsor', { q: 'asa', school: ['sodra'] }, true)
  await add(sara, 'Södra', {}, true)
  const [first, ...rest] = await desk.db.select().from(savedViews).orderBy(savedViews.createdAt)
  // The reach is that of its owner, whatever the filter names.
  expect([first?.reach, rest.length]).toEqual([['norra'], 1])
  expect(JSON.stringify([first, ...rest])).not.toMatch(/\basa\b|Åsor|sodra/i)
  await desk.db.update(savedViews).set({ sealedView: first?.sealedView ?? '' })
  expect(await seen(both)).toHaveLength(1)
})

test('its owner and administrators delete a view; it does not exist for whom it is not', async () => {
  const shared = await add(sara, 'x', {}, true)
  const secret = await add(sara, 'y', {}, false)
  await expect(deleteView(parts, siv, { id: shared.id })).rejects.toThrow(ForbiddenError)
  for (const { id } of [secret, { id: 'unknown' }])
    await expect(deleteView(parts, siv, { id })).rejects.toThrow(new NotFoundError())
  await deleteView(parts, sara, { id: shared.id })
  await deleteView(parts, anna, { id: secret.id })
  await expect(deleteView(parts, anna, { id: secret.id })).rejects.toThrow(NotFoundError)
  const logged = (await desk.db.select().from(activity)).filter(({ action }) => action.startsWith('view'))
  expect(Object.keys(Object.assign({}, ...logged.map(({ details }) => details)))).toEqual(['view', 'shared'])
})

test('a user saves a hundred views, and five hundred are shared', async () => {
  const rows = (count: number, shared: boolean, ownerId: string) =>
    Array.from({ length: count }, (_, index) => {
      return { ownerId, list, sealedView: '', createdAt: new Date(), shared, id: `${ownerId} ${index}` } as const
    })
  await desk.db.insert(savedViews).values(rows(100, false, 'sara'))
  await expect(add(sara, 'x', {}, false)).rejects.toThrow(ConflictError)
  await desk.db.insert(savedViews).values(rows(500, true, 'anna'))
  await add(siv, 'x', {}, false)
  await expect(add(siv, 'x', {}, true)).rejects.toThrow(ConflictError)
})
