import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { SchoolScope } from '@/lib/contract/user'
import { declaration } from '@/lib/leads/testing/leads'
import { type Admin, makeViewer, type Reader } from '@/server/access/viewer'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { activity, savedViews } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import { addView, deleteView, eraseFromViews, listViews } from './saved-views'
import { openTestDesk } from './testing/test-desk'

const list = 'declarations-of-interest'
const desk = await openTestDesk()
const parts = desk.parts
const sara = await desk.addPerson('sara', 'staff', ['norra'])
const siv = await desk.addPerson('siv', 'staff', ['norra'])
const nils = await desk.addPerson('nils', 'staff', ['sodra'])
const both = await desk.addPerson('both', 'staff', ['norra', 'sodra'])
const anna = await desk.addPerson('anna', 'admin', 'all')
/** The same user after their schools were changed. */
const withSchools = (viewer: Reader, schools: SchoolScope) => makeViewer({ ...viewer, schools }) as Admin
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
const share = (viewer: Reader) => add(viewer, 'Ring Åsa', { q: 'asa' }, true)
const seen = async (viewer: Reader) =>
  (await listViews(parts, viewer)).views.map(({ name, count, own }) => `${name} ${count}${own ? ' own' : ''}`)
const sees = async (viewer: Reader) => (await seen(viewer)).length > 0

test('a shared view counts for each what they may see, a private one is its owner’s alone', async () => {
  await add(sara, 'Åsor', { q: 'asa', sort: 'name' }, true)
  expect(await add(nils, 'Mina', { status: ['in-progress'] }, false)).toMatchObject({ own: true, count: 0 })
  await add(sara, 'Södra', { school: ['sodra'] }, true)
  expect(await seen(sara)).toEqual(['Åsor 1 own', 'Södra 0 own'])
  expect(await seen(nils)).toEqual(['Mina 0 own'])
  expect(await seen(both)).toEqual(['Åsor 2', 'Södra 2'])
  expect(await seen(siv)).toEqual(['Åsor 1', 'Södra 0'])
  expect(await seen(anna)).toEqual(['Åsor 2 own', 'Södra 2 own'])
  await desk.decide(nils, [{ kind: 'declaration-of-interest', id: '3' }], { status: 'in-progress' })
  expect(await seen(nils)).toEqual(['Mina 1 own'])
  desk.setDeclarations([declaration('1', { firstName: 'Åsa' })])
  expect([await seen(nils), await seen(both)]).toEqual([['Mina 0 own'], ['Åsor 1', 'Södra 0']])
})

test.each<[SchoolScope, boolean]>([
  [['norra', 'sodra'], true],
  [['sodra', 'ostra', 'norra'], true],
  ['all', true],
  [['norra'], false],
  [['norra', 'ostra'], false],
  [[], false],
])('a view that was shared by who sees norra and sodra is there for who sees %j: %s', async (schools, isThere) => {
  const { id } = await share(both)
  const reader = withSchools(siv, schools)
  expect(await sees(reader)).toBe(isThere)
  await expect(deleteView(parts, reader, { id })).rejects.toThrow(isThere ? ForbiddenError : NotFoundError)
})

test('a shared view stays with the reach it was saved with, whatever its owner comes to see or no longer sees', async () => {
  await share(withSchools(sara, 'all'))
  expect([await sees(both), await sees(withSchools(both, 'all'))]).toEqual([false, true])
  expect(await sees(sara), 'its owner’s own words').toBe(true)
  await desk.db.update(savedViews).set({ reach: null })
  expect(await sees(withSchools(both, 'all')), 'without a reach').toBe(false)
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

test('a view with filters of another release is not shown, and is erased like others', async () => {
  const { id } = await add(sara, 'x', { q: 'asa' }, false)
  const text = JSON.stringify({ name: 'x', query: { q: 'asa', filterOfAnotherRelease: true } })
  await desk.db.update(savedViews).set({ sealedView: parts.seal.encrypt(text, sealContext.savedView(id)) })
  expect(await sees(sara)).toBe(false)
  await eraseFromViews(desk.db, parts.seal, [], (written) => written === 'asa')
  expect(await desk.db.$count(savedViews)).toBe(0)
})

test('its owner and administrators delete a view, once, which is logged without its text', async () => {
  const shared = await add(sara, 'x', {}, true)
  const secret = await add(sara, 'y', {}, false)
  await deleteView(parts, sara, shared)
  await expect(deleteView(parts, siv, secret), 'another user’s').rejects.toThrow(new NotFoundError())
  await deleteView(parts, anna, secret)
  await expect(deleteView(parts, anna, secret)).rejects.toThrow(NotFoundError)
  const log = await desk.db.select().from(activity).where(eq(activity.action, 'view-deleted'))
  expect(log.map(({ details }) => details)).toEqual([{ view: shared.id }, { view: secret.id }])
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
