import { afterAll, expect, test } from 'vitest'
import type { SchoolScope } from '@/lib/contract/user'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { activity, savedViews } from '@/server/base/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { openTestDesk } from './testing/test-desk'
import { changeTriage } from './write-triage'
import { addView, deleteView, listViews } from './saved-views'

const list = 'declarations-of-interest'
type Reader = Allowed<'leads:read'>

const desk = await openTestDesk()
const parts = desk.parts
desk.setDeclarations([
  declaration('1', { firstName: 'Åsa' }),
  declaration('2', { firstName: 'Åsa', school: 'sodra' }),
  declaration('3', { firstName: 'Erik', school: 'sodra' }),
])
const reader = async (id: string, schools: SchoolScope) =>
  allow(await desk.person(id, schools === 'all' ? 'admin' : 'staff', schools), 'leads:read')
const sara = await reader('sara', ['norra'])
const siv = await reader('siv', ['norra'])
const nils = await reader('nils', ['sodra'])
const both = await reader('both', ['norra', 'sodra'])
const anna = await reader('anna', 'all')
afterAll(() => desk.close())

const seen = async (viewer: Reader) =>
  (await listViews(parts, viewer)).views.map(({ name, count, own }) => `${name} ${count}${own ? ' own' : ''}`)
const namesFor = async (viewer: Reader) => (await listViews(parts, viewer)).views.map(({ name }) => name)

test('a shared view counts for each what they may see, a private one is its owner’s alone', async () => {
  await addView(parts, sara, { list, name: 'Åsor', query: { q: 'asa', sort: 'name' }, shared: true })
  desk.time.ms += 1_000
  const mine = await addView(parts, nils, { list, name: 'Mina', query: { status: ['in-progress'] }, shared: false })
  expect(mine).toMatchObject({ own: true, count: 0 })
  desk.time.ms += 1_000
  const other = await addView(parts, sara, { list, name: 'Södra', query: { school: ['sodra'] }, shared: true })
  expect(other.count, 'a school out of scope counts nothing').toBe(0)
  expect(await seen(sara)).toEqual(['Åsor 1 own', 'Södra 0 own'])
  expect(await seen(nils)).toEqual(['Mina 0 own'])
  expect(await seen(both)).toEqual(['Åsor 2', 'Södra 2'])
  expect(await seen(siv), 'without what is about other schools alone').toEqual(['Åsor 1'])
  expect(await seen(anna)).toEqual(['Åsor 2 own', 'Södra 2 own'])
})

test('counts follow the triage and the list', async () => {
  const lead = { kind: 'declaration-of-interest', id: '3' } as const
  await changeTriage(parts, nils, [lead], { status: 'in-progress' })
  expect(await seen(nils)).toEqual(['Mina 1 own'])
  desk.setDeclarations([declaration('1', { firstName: 'Åsa' })])
  expect([await seen(nils), await seen(both)]).toEqual([['Mina 0 own'], ['Åsor 1', 'Södra 0']])
})

test('nothing that was searched for lies in the database, and another key reads nothing', async () => {
  const rows = await desk.db.select().from(savedViews)
  // The reach is that of its owner, whatever the filter names.
  expect(rows.map(({ reach }) => reach)).toEqual([['norra'], ['sodra'], ['norra']])
  expect(JSON.stringify(rows.map((row) => ({ ...row, reach: null })))).not.toMatch(/\basa\b|Åsor|sodra/i)
  await desk.db.update(savedViews).set({ sealedView: rows[0]?.sealedView ?? '' })
  expect(await namesFor(both), 'a sealed text moved to another row').toEqual(['Åsor'])
})

test('its owner and administrators delete it; for whom it is not it does not exist', async () => {
  await desk.db.delete(savedViews)
  const shared = await addView(parts, sara, { list, name: 'x', query: {}, shared: true })
  const secret = await addView(parts, sara, { list, name: 'y', query: {}, shared: false })
  await expect(deleteView(parts, siv, { id: shared.id })).rejects.toThrow(ForbiddenError)
  for (const { id } of [secret, { id: 'unknown' }])
    await expect(deleteView(parts, siv, { id })).rejects.toThrow(new NotFoundError())
  await deleteView(parts, sara, { id: shared.id })
  await deleteView(parts, anna, { id: secret.id })
  await expect(deleteView(parts, anna, { id: secret.id })).rejects.toThrow(NotFoundError)
  const logged = (await desk.db.select().from(activity)).filter(({ action }) => action.startsWith('view'))
  expect(Object.keys(Object.assign({}, ...logged.map(({ details }) => details)))).toEqual(['view', 'shared'])
})

test('a hundred views are enough, and five hundred shared ones', async () => {
  const row = { ownerId: 'sara', list, sealedView: '', createdAt: new Date() } as const
  const rows = (count: number, shared: boolean, ownerId = 'sara') =>
    Array.from({ length: count }, (_, index) => ({ ...row, ownerId, shared, id: `${ownerId} ${index}` }))
  await desk.db.insert(savedViews).values(rows(100, false))
  const view = { list, name: 'x', query: {}, shared: false } as const
  await expect(addView(parts, sara, view)).rejects.toThrow(ConflictError)
  await desk.db.insert(savedViews).values(rows(500, true, 'anna'))
  await addView(parts, siv, view)
  await expect(addView(parts, siv, { ...view, shared: true })).rejects.toThrow(ConflictError)
})
