import { beforeEach, expect, test } from 'vitest'
import { toLeadPage } from '@/lib/api/leads'
import type { DeclarationOfInterestItem as Item } from '@/lib/contract/lead'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declarationItem } from '@/lib/leads/testing/leads'
import { createSharedPages } from './shared-pages'

let version = 1
let table = leadTableOf('declaration-of-interest', [])
const open = () => createSharedPages(() => version)
let pages = open()
beforeEach(() => void (pages = open()))

const item = (id: string, triage: Partial<Item['triage']> = {}): Item => {
  return { ...declarationItem(id), triage: { status: 'new', assignee: null, updatedAt: null, ...triage } }
}
const handled = (id: string) => item(id, { status: 'handled' })
const make = (key: string, items: Item[], { total = items.length, of = pages } = {}) =>
  of.getOrMake(key, { table }, async () => ({ items, total }))

test('a page is made once for all equal requests, until leads or triage change', async () => {
  const first = await make('all', [item('a')])
  expect(await make('all', [item('never')])).toBe(first)
  expect(await make('other', [item('b')])).toMatchObject({ items: [{ id: 'b' }] })
  version += 1
  expect(await make('all', [item('c')])).toMatchObject({ items: [{ id: 'c' }] })
  table = leadTableOf('declaration-of-interest', [])
  expect(await make('all', [item('d')])).toMatchObject({ items: [{ id: 'd' }] })
})

test('equal pages have equal etags, others differ, and none reveals how many there are', async () => {
  const etagOf = async (key: string, total: number, one: Item) => (await make(key, [one], { total, of: open() })).etag
  const etag = await etagOf('all', 1, item('a'))
  expect(etag).toMatch(/^[\w-]{22}$/)
  expect(await etagOf('all', 1, item('a'))).toBe(etag)
  const others = [etagOf('all', 2, item('a')), etagOf('all', 1, handled('a')), etagOf('other', 1, item('a'))]
  expect(await Promise.all(others)).not.toContain(etag)
})

test('neither a long page nor a failure is shared', async () => {
  await expect(pages.getOrMake('all', { table }, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await make('all', [item('a')])).toMatchObject({ total: 1 })
  const isShared = async (items: Item[]) => {
    const key = JSON.stringify(items)
    return (await make(key, items)) === (await make(key, items))
  }
  const long = Array.from({ length: 101 }, (_, place) => item(String(place)))
  expect(await isShared([item('a')])).toBe(true)
  expect(await isShared(long)).toBe(false)
  const made = await make('long', long)
  expect(made.findDifference(made.etag), 'nor is it remembered').toBeNull()
})

test('memory is bounded, however many and large the requests', async () => {
  const first = await make('x'.repeat(1_000_000), [])
  expect(first.keyHash.length).toBeLessThan(50)
  for (let count = 0; count < 400; count += 1) await make(String(count), [])
  expect(await make('x'.repeat(1_000_000), [])).not.toBe(first)
})

test('of a known page only new and changed items are sent, and the places of the others', async () => {
  const before = [item('a'), item('b'), item('c'), item('d'), item('e')]
  const known = await make('all', before)
  version += 1
  const items = [item('x'), item('a'), handled('b'), item('c'), item('e')]
  const next = await make('all', items)
  const parts = next.findDifference(known.etag) ?? []
  expect(parts).toEqual([JSON.stringify(item('x')), [0, 1], JSON.stringify(handled('b')), [2, 1], [4, 1]])
  const sent = parts.map((part) => (typeof part === 'string' ? JSON.parse(part) : part))
  const snapshot = { fetchedAt: '', nextAt: null, stale: false, problem: null, version: 2, unreadable: 0 }
  const answer = { parts: sent, total: 5, snapshot, etag: next.etag, waiting: 0, newest: null, cohort: null }
  expect(toLeadPage('declarations-of-interest', answer, before)).toMatchObject({ items, etag: next.etag })
  expect(next.findDifference(next.etag)).toEqual([[0, 5]])
})

test('a page that is forgotten, or of another process or scope, is sent whole', async () => {
  const next = await make('all', [item('a')])
  const elsewhere = await make('all', [item('b')], { of: open() })
  const ofOthers = await make('who sees more', [item('b'), item('a')])
  for (const etag of ['none', elsewhere.etag, ofOthers.etag]) expect(next.findDifference(etag)).toBeNull()
})
