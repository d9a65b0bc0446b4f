import { expect, test } from 'vitest'
import type { ActivityItem } from '@/lib/contract/activity'
import { mergeEntries } from './activity-screen'

let id = 0
const entry = (part: Partial<ActivityItem> = {}): ActivityItem => ({
  id: id++,
  at: '2026-11-22T22:11:04.000Z',
  user: { id: 'u1', name: 'Anna' },
  action: 'opened',
  lead: { kind: 'asked-question', id: `q${id}` },
  details: {},
  address: '127.0.0.1',
  ...part,
})
const sizes = (...entries: ActivityItem[]) => mergeEntries(entries).map((group) => group.length)

test('entries that differ in the lead only are one act', () => {
  expect(sizes(entry(), entry({ at: '2026-11-22T22:11:59.000Z' }), entry())).toEqual([3])
  expect(sizes(entry({ lead: null }), entry({ lead: null }))).toEqual([1, 1])
  expect(sizes()).toEqual([])
})

test.each<Partial<ActivityItem>>([
  { at: '2026-11-22T22:12:00.000Z' },
  { user: { id: 'u2', name: 'Anna' } },
  { user: null },
  { action: 'note-added' },
  { details: { status: 'handled' } },
  { address: null },
  { lead: null },
])('another act: %o', (other) => {
  expect(sizes(entry(), entry(other), entry())).toEqual([1, 1, 1])
})
