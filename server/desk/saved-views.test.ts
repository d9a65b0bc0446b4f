import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { savedViews } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/triage/triage-batch'
import { addView, deleteView, listViews } from './saved-views'

const list = 'declarations-of-interest'
type Reader = Allowed<'leads:read'>

let desk: TestDesk
let parts: TestDesk['parts']
let sara: Reader
let nils: Reader
let anna: Reader
beforeAll(async () => {
  desk = await openTestDesk()
  parts = desk.parts
  desk.setDeclarations([
    declaration('1', { firstName: 'Åsa' }),
    declaration('2', { firstName: 'Åsa', school: 'sodra' }),
    declaration('3', { firstName: 'Erik', school: 'sodra' }),
  ])
  sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:read')
  nils = allow(await desk.person('nils', 'staff', ['sodra']), 'leads:read')
  anna = allow(await desk.person('anna', 'admin', 'all'), 'leads:read')
})
afterAll(() => desk.close())

const seen = async (viewer: Reader) =>
  (await listViews(parts, viewer)).views.map(({ name, count, own }) => [name, count, own])

test('a shared view counts for each what they may see, a private one is its owner’s alone', async () => {
  await addView(parts, sara, { list, name: 'Åsor', query: { q: 'asa', sort: 'name' }, shared: true })
  desk.time.ms += 1_000
  const mine = await addView(parts, nils, { list, name: 'Mina', query: { status: ['in-progress'] }, shared: false })
  expect(mine).toMatchObject({ own: true, count: 0 })
  desk.time.ms += 1_000
  const other = await addView(parts, sara, { list, name: 'Södra', query: { school: ['sodra'] }, shared: true })
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

test('a shared view reveals no schools and leads out of reach', async () => {
  const shared = async (name: string, query: object) => {
    desk.time.ms += 1_000
    return addView(parts, anna, { list, name, query, shared: true })
  }
  const made = [
    await shared('Alla', { school: ['norra', 'sodra'] }),
    await shared('Två', { id: ['1', '2'] }),
    await shared('Fjärran', { school: ['sodra'] }),
    await shared('Fjärran ärende', { id: ['3'] }),
  ]
  const ofAnna = async (viewer: Reader) =>
    (await listViews(parts, viewer)).views.filter(({ id }) => made.some((one) => one.id === id))
  expect(await ofAnna(anna)).toMatchObject(made.map(({ query }) => ({ query })))
  expect((await ofAnna(sara)).map(({ name, query, count }) => ({ name, query, count }))).toEqual([
    { name: 'Alla', query: { school: ['norra'] }, count: 1 },
    { name: 'Två', query: { id: ['1'] }, count: 1 },
  ])
  for (const { id } of made) await deleteView(parts, anna, id)
})

test('counts follow the triage and the list', async () => {
  const lead = { kind: 'declaration-of-interest', id: '3' } as const
  await changeTriage(parts, nils, [lead], { status: 'in-progress' })
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
  const shared = await addView(parts, sara, { list, name: 'x', query: {}, shared: true })
  const secret = await addView(parts, sara, { list, name: 'y', query: {}, shared: false })
  await expect(deleteView(parts, nils, shared.id)).rejects.toThrow(ForbiddenError)
  await expect(deleteView(parts, nils, secret.id)).rejects.toThrow(NotFoundError)
  await deleteView(parts, sara, shared.id)
  await deleteView(parts, anna, secret.id)
  await expect(deleteView(parts, anna, secret.id)).rejects.toThrow(NotFoundError)
})

test('a hundred views are enough', async () => {
  const row = { ownerId: 'sara', list, sealedView: '', shared: false, createdAt: new Date() } as const
  await desk.db.insert(savedViews).values(Array.from({ length: 100 }, (_, index) => ({ ...row, id: `v${index}` })))
  await expect(addView(parts, sara, { list, name: 'x', query: {}, shared: false })).rejects.toThrow(ConflictError)
})
