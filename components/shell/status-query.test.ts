import { expect, test } from 'vitest'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { untilNext } from './status-query'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const due = (inSeconds: number): SnapshotInfo => ({
  fetchedAt: '2026-11-20T06:59:58.000Z',
  nextAt: new Date(NOW + inSeconds * 1_000).toISOString(),
  stale: false,
  problem: null,
  version: 1,
  unreadable: 0,
})
const seen = (questions: SnapshotInfo | null, declarations: SnapshotInfo | null) => ({
  data: { lists: { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': due(500) } },
  dataUpdatedAt: NOW,
})

test('asks when the sooner list is next fetched, a little spread out', () => {
  expect(untilNext(seen(due(20), due(9)), 0)).toBe(9_000)
  expect(untilNext(seen(due(20), due(9)), 0.5)).toBe(9_500)
})

test('never more often than every five seconds, also while nothing is known', () => {
  expect(untilNext(seen(due(-30), due(9)), 0)).toBe(5_000)
  expect(untilNext({ data: undefined, dataUpdatedAt: 0 }, 0)).toBe(5_000)
})
