import { expect, test } from 'vitest'
import { readLeadPage } from '@/lib/api/leads'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { declarationItem } from '@/lib/leads/testing/leads'
import { createSharedPages } from './table-cache'

const table = builtTableOf('declaration-of-interest', [])
const at = (triage: number) => ({ table, triage })
const item = (id: string, status: 'new' | 'handled' = 'new'): DeclarationOfInterestItem => ({
  ...declarationItem(id),
  triage: { status, assignee: null, updatedAt: null },
})
const page =
  (...items: DeclarationOfInterestItem[]) =>
  async () => ({ items, total: items.length })

test('a page is made once for all equal requests, until leads or triage change', async () => {
  const pages = createSharedPages()
  const first = await pages.getOrMake('all', at(1), page(item('a')))
  expect(await pages.getOrMake('all', at(1), page(item('never')))).toBe(first)
  expect((await pages.getOrMake('other', at(1), page(item('b')))).items.map(({ id }) => id)).toEqual(['b'])
  const second = await pages.getOrMake('all', at(2), page(item('a'), item('d')))
  expect(second.etag).not.toBe(first.etag)
  const other = await pages.getOrMake(
    'all',
    { ...at(2), table: builtTableOf('declaration-of-interest', []) },
    page(item('c')),
  )
  expect(other.items.map(({ id }) => id)).toEqual(['c'])
})

test('equal pages have equal etags, others differ, and none reveals how many there are', async () => {
  const etagOf = async (key: string, total: number, ...items: DeclarationOfInterestItem[]) => {
    const made = createSharedPages().getOrMake(key, at(1), async () => ({ items, total }))
    return (await made).etag
  }
  const name = await etagOf('all', 1, item('a'))
  expect(name).toMatch(/^[\w-]{22}$/)
  expect(await etagOf('all', 1, item('a'))).toBe(name)
  const others = [etagOf('all', 2, item('a')), etagOf('all', 1, item('a', 'handled')), etagOf('all', 1)]
  others.push(etagOf('other', 1, item('a')))
  expect(new Set([name, ...(await Promise.all(others))]).size).toBe(5)
})

test('a long page, and one of which a name is missing, is not shared', async () => {
  const pages = createSharedPages()
  const ask = (items: DeclarationOfInterestItem[]) => pages.getOrMake(JSON.stringify(items), at(1), page(...items))
  const assigned = (name: string): DeclarationOfInterestItem => ({
    ...item('a'),
    triage: { status: 'new', assignee: { id: 'sara', name }, updatedAt: null },
  })
  const isShared = async (items: DeclarationOfInterestItem[]) => (await ask(items)) === (await ask(items))
  const long = Array.from({ length: 101 }, (_, place) => item(String(place)))
  expect(await isShared([assigned('Sara')])).toBe(true)
  expect(await isShared([assigned('')])).toBe(false)
  expect(await isShared(long)).toBe(false)
  const made = await ask(long)
  expect(made.partsSince(made.etag), 'nor is it remembered').toBeNull()
})

test('memory is bounded, however large the requests', async () => {
  const pages = createSharedPages()
  const ask = (key: string) => pages.getOrMake(key, at(1), page(item('a')))
  const first = await ask('x'.repeat(1_000_000))
  expect(first.key.length).toBeLessThan(50)
  const second = await ask('0')
  for (let count = 1; count < 399; count += 1) await ask(String(count))
  expect(await ask('x'.repeat(1_000_000))).toBe(first)
  await ask('one more')
  expect(await ask('0')).not.toBe(second)
  expect(await ask('x'.repeat(1_000_000))).toBe(first)
})

test('what could not be made is made again for the next call', async () => {
  const pages = createSharedPages()
  await expect(pages.getOrMake('all', at(1), () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect((await pages.getOrMake('all', at(1), page(item('a')))).total).toBe(1)
})

test('for a known page only the difference is sent: new and changed items, and the places of the others', async () => {
  const pages = createSharedPages()
  const before = [item('a'), item('b'), item('c'), item('d'), item('e')]
  const known = await pages.getOrMake('all', at(1), page(...before))
  const now = [item('x'), item('a'), item('b', 'handled'), item('c'), item('e')]
  const next = await pages.getOrMake('all', at(2), page(...now))
  const parts = next.partsSince(known.etag)
  expect(parts).toEqual([JSON.stringify(item('x')), [0, 1], JSON.stringify(item('b', 'handled')), [2, 1], [4, 1]])
  const sent = (parts ?? []).map((part) => (typeof part === 'string' ? JSON.parse(part) : part))
  const snapshot = { fetchedAt: '', nextAt: null, stale: false, problem: null, version: 2, unreadable: 0 }
  const answer = { parts: sent, total: 5, snapshot, etag: next.etag, waiting: 0, newest: null, cohort: null }
  expect(readLeadPage('declarations-of-interest', answer, before)).toMatchObject({
    items: now,
    etag: next.etag,
  })
  expect(next.partsSince(next.etag)).toEqual([[0, 5]])
})

test('a page that is forgotten, or of another process, is sent whole', async () => {
  const pages = createSharedPages()
  const next = await pages.getOrMake('all', at(1), page(item('a')))
  const elsewhere = await createSharedPages().getOrMake('all', at(1), page(item('b')))
  expect([next.partsSince(elsewhere.etag), next.partsSince('none')]).toEqual([null, null])
  const ofOthers = await pages.getOrMake('who sees more', at(1), page(item('b'), item('a')))
  expect(next.partsSince(ofOthers.etag), 'where it stands there is not for these to know').toBeNull()
})
