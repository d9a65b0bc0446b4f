import { expect, test } from 'vitest'
import { readLeadPage } from '@/lib/api/leads'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { declarationItem } from '@/lib/leads/testing/leads'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createSharedPages } from './shared-pages'

const kind = 'declaration-of-interest'
const basis = { table: builtTableOf(kind, []) }
type Triage = Partial<DeclarationOfInterestItem['triage']>
const item = (id: string, triage: Triage = {}): DeclarationOfInterestItem => ({
  ...declarationItem(id),
  triage: { status: 'new', assignee: null, updatedAt: null, ...triage },
})
const handled = (id: string) => item(id, { status: 'handled' })
const page =
  (...items: DeclarationOfInterestItem[]) =>
  async () => ({ items, total: items.length })

test('a page is made once for all equal requests, until leads or triage change', async () => {
  let version = 1
  const pages = createSharedPages(() => version)
  const first = await pages.getOrMake('all', basis, page(item('a')))
  expect(await pages.getOrMake('all', basis, page(item('never')))).toBe(first)
  expect(await pages.getOrMake('other', basis, page(item('b')))).toMatchObject({ items: [{ id: 'b' }] })
  version = 2
  expect(await pages.getOrMake('all', basis, page(item('c')))).toMatchObject({ items: [{ id: 'c' }] })
  const newer = { table: builtTableOf(kind, []) }
  expect(await pages.getOrMake('all', newer, page(item('d')))).toMatchObject({ items: [{ id: 'd' }] })
})

test('equal pages have equal etags, others differ, and none reveals how many there are', async () => {
  const etagOf = async (key: string, total: number, ...items: DeclarationOfInterestItem[]) =>
    (await createSharedPages(() => 0).getOrMake(key, basis, async () => ({ items, total }))).etag
  const etag = await etagOf('all', 1, item('a'))
  expect(etag).toMatch(/^[\w-]{22}$/)
  expect(await etagOf('all', 1, item('a'))).toBe(etag)
  const others = [etagOf('all', 2, item('a')), etagOf('all', 1, handled('a')), etagOf('other', 1, item('a'))]
  expect(await Promise.all(others)).not.toContain(etag)
})

test('a long page, and one in which a name is missing, is not shared', async () => {
  const pages = createSharedPages(() => 0)
  const ask = (items: DeclarationOfInterestItem[]) => pages.getOrMake(JSON.stringify(items), basis, page(...items))
  const isShared = async (items: DeclarationOfInterestItem[]) => (await ask(items)) === (await ask(items))
  const long = Array.from({ length: 101 }, (_, place) => item(String(place)))
  expect(await isShared([item('a', { assignee: { id: 'sara', name: 'Sara' } })])).toBe(true)
  expect(await isShared([item('a', { assignee: { id: 'sara', name: '' } })])).toBe(false)
  expect(await isShared(long)).toBe(false)
  const made = await ask(long)
  expect(made.findDifference(made.etag), 'nor is it remembered').toBeNull()
})

test('memory is bounded, however many and large the requests', async () => {
  const pages = createSharedPages(() => 0)
  const ask = (key: string) => pages.getOrMake(key, basis, page(item('a')))
  const first = await ask('x'.repeat(1_000_000))
  expect(first.key.length).toBeLessThan(50)
  for (let count = 0; count < 400; count += 1) await ask(String(count))
  expect(await ask('x'.repeat(1_000_000))).not.toBe(first)
})

test('a page that could not be made is made again for the next call', async () => {
  const pages = createSharedPages(() => 0)
  await expect(pages.getOrMake('all', basis, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await pages.getOrMake('all', basis, page(item('a')))).toMatchObject({ total: 1 })
})

test('of a known page only new and changed items are sent, and the places of the others', async () => {
  const pages = createSharedPages(() => 0)
  const before = [item('a'), item('b'), item('c'), item('d'), item('e')]
  const known = await pages.getOrMake('all', basis, page(...before))
  const items = [item('x'), item('a'), handled('b'), item('c'), item('e')]
  const next = await pages.getOrMake('all', { table: builtTableOf(kind, []) }, page(...items))
  const parts = next.findDifference(known.etag) ?? []
  expect(parts).toEqual([JSON.stringify(item('x')), [0, 1], JSON.stringify(handled('b')), [2, 1], [4, 1]])
  const sent = parts.map((part) => (typeof part === 'string' ? JSON.parse(part) : part))
  const snapshot = { fetchedAt: '', nextAt: null, stale: false, problem: null, version: 2, unreadable: 0 }
  const answer = { parts: sent, total: 5, snapshot, etag: next.etag, waiting: 0, newest: null, cohort: null }
  expect(readLeadPage('declarations-of-interest', answer, before)).toMatchObject({ items, etag: next.etag })
  expect(next.findDifference(next.etag)).toEqual([[0, 5]])
})

test('a page that is forgotten, or of another process or scope, is sent whole', async () => {
  const pages = createSharedPages(() => 0)
  const next = await pages.getOrMake('all', basis, page(item('a')))
  const elsewhere = await createSharedPages(() => 0).getOrMake('all', basis, page(item('b')))
  const ofOthers = await pages.getOrMake('who sees more', basis, page(item('b'), item('a')))
  for (const etag of ['none', elsewhere.etag, ofOthers.etag]) expect(next.findDifference(etag)).toBeNull()
})
