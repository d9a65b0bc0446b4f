import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '@/server/access/make-viewer'
import { savedViews } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/errors'
import { declaration, openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/triage/change-triage'
import { addView } from './add-view'
import { deleteView } from './delete-view'
import { listViews } from './list-views'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

const list = 'declarations-of-interest'
let desk: TestDesk
let sara: Viewer
let nils: Viewer
let anna: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts.current = desk.parts
  desk.setDeclarations([
    declaration('1', { firstName: 'Åsa' }),
    declaration('2', { firstName: 'Åsa', school: 'sodra' }),
    declaration('3', { firstName: 'Erik', school: 'sodra' }),
  ])
  sara = await desk.person('sara', 'staff', ['norra'])
  nils = await desk.person('nils', 'staff', ['sodra'])
  anna = await desk.person('anna', 'admin', 'all')
})
afterAll(() => desk.close())

const seen = async (viewer: Viewer) => (await listViews(viewer)).views.map(({ name, count, own }) => [name, count, own])

test('a shared view counts for each what they may see, a private one is its owner’s alone', async () => {
  await addView(sara, { list, name: 'Åsor', query: { q: 'asa', sort: 'name' }, shared: true })
  desk.time.ms += 1_000
  const mine = await addView(nils, { list, name: 'Mina', query: { status: ['in-progress'] }, shared: false })
  expect(mine).toMatchObject({ own: true, count: 0 })
  desk.time.ms += 1_000
  const other = await addView(sara, { list, name: 'Södra', query: { school: ['sodra'] }, shared: true })
  expect(other.count, 'a school out of reach counts nothing').toBe(0)
  expect(await seen(sara)).toEqual([
    ['Åsor', 1, true],
    ['Södra', 0, true],
  ])
  expect(await seen(nils)).toEqual([
    ['Åsor', 1, false],
    ['Mina', 0, true],
    ['Södra', 2, false],
  ])
  expect(await seen(anna)).toEqual([
    ['Åsor', 2, true],
    ['Södra', 2, true],
  ])
})

test('a shared view tells nobody of schools and leads out of their reach', async () => {
  const shared = async (name: string, query: object) => {
    desk.time.ms += 1_000
    return addView(anna, { list, name, query, shared: true })
  }
  const made = [
    await shared('Alla', { school: ['norra', 'sodra'] }),
    await shared('Två', { id: ['1', '2'] }),
    await shared('Fjärran', { school: ['sodra'] }),
    await shared('Fjärran ärende', { id: ['3'] }),
  ]
  const ofAnna = async (viewer: Viewer) =>
    (await listViews(viewer)).views.filter(({ id }) => made.some((one) => one.id === id))
  expect(await ofAnna(anna)).toMatchObject(made.map(({ query }) => ({ query })))
  expect((await ofAnna(sara)).map(({ name, query, count }) => ({ name, query, count }))).toEqual([
    { name: 'Alla', query: { school: ['norra'] }, count: 1 },
    { name: 'Två', query: { id: ['1'] }, count: 1 },
  ])
  for (const { id } of made) await deleteView(anna, id)
})

test('counts follow the triage and the list', async () => {
  const lead = { kind: 'declaration-of-interest', id: '3' } as const
  await changeTriage(desk.db, 'nils', [lead], { status: 'in-progress' })
  expect((await seen(nils))[1]).toEqual(['Mina', 1, true])
  desk.setDeclarations([declaration('1', { firstName: 'Åsa' })])
  expect((await seen(nils)).map(([, count]) => count)).toEqual([0, 0, 0])
})

test('nothing that was searched for lies in the database, and another key reads nothing', async () => {
  const rows = await desk.db.select().from(savedViews)
  expect(JSON.stringify(rows)).not.toMatch(/asa|Åsor|sodra/i)
  await desk.db.update(savedViews).set({ sealedView: rows[0]?.sealedView ?? '' })
  expect(
    (await seen(nils)).map(([name]) => name),
    'a sealed text moved to another row',
  ).toEqual(['Åsor'])
})

test('its owner and administrators delete it; a private one does not exist for others', async () => {
  await desk.db.delete(savedViews)
  const shared = await addView(sara, { list, name: 'x', query: {}, shared: true })
  const secret = await addView(sara, { list, name: 'y', query: {}, shared: false })
  await expect(deleteView(nils, shared.id)).rejects.toThrow(ForbiddenError)
  await expect(deleteView(nils, secret.id)).rejects.toThrow(NotFoundError)
  await deleteView(sara, shared.id)
  await deleteView(anna, secret.id)
  await expect(deleteView(anna, secret.id)).rejects.toThrow(NotFoundError)
})

test('a hundred views are enough', async () => {
  const row = { ownerId: 'sara', list, sealedView: '', shared: false, createdAt: new Date() } as const
  await desk.db.insert(savedViews).values(Array.from({ length: 100 }, (_, index) => ({ ...row, id: `v${index}` })))
  await expect(addView(sara, { list, name: 'x', query: {}, shared: false })).rejects.toThrow(ConflictError)
})
