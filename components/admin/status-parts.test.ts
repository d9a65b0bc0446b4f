import { describe, expect, it, test } from 'vitest'
import type { ListReport } from '@/lib/contract/feed-status'
import { dataSize, hourlyRate, listHealth, preciseDuration, verdict } from './status-parts'

const at = '2026-11-20T07:00:00.000Z'
const healthy: ListReport = {
  fetchedAt: at,
  nextAt: at,
  intervalMs: 10_000,
  problem: null,
  version: 1,
  records: 1,
  bytes: 100,
  arrivalsPerHour: 1,
  history: [],
  setAside: { total: 0, records: [] },
}
const doubt = { before: 500, now: 40, answers: 2 }
const failing: ListReport = { ...healthy, problem: { kind: 'unavailable', since: at, detail: 'status 500' } }
const heldBack: ListReport = { ...healthy, problem: { kind: 'unreadable', since: at, detail: '', doubt } }
const waiting: ListReport = { ...healthy, fetchedAt: null }
const setAside = (total: number): ListReport => ({ ...healthy, setAside: { total, records: [] } })

describe('the health of a list', () => {
  it.each([
    ['a problem, whatever else is known', { ...waiting, problem: failing.problem }, 'failing'],
    ['a problem beside records set aside', { ...setAside(3), problem: failing.problem }, 'failing'],
    ['a list that shrank and is not believed yet', heldBack, 'heldBack'],
    ['never fetched', waiting, 'waiting'],
    ['a record that could not be read', setAside(1), 'setAside'],
    ['all well', healthy, 'healthy'],
  ] as const)('%s', (_, report, health) => {
    expect(listHealth(report)).toBe(health)
  })

  it.each([
    [[healthy, healthy, healthy], { health: 'healthy', count: 3 }],
    [[setAside(2), healthy, setAside(5)], { health: 'setAside', count: 7 }],
    [[waiting, setAside(2), healthy], { health: 'waiting', count: 1 }],
    [[failing, waiting, failing], { health: 'failing', count: 2 }],
    [[heldBack, heldBack, setAside(9)], { health: 'heldBack', count: 2 }],
    [[heldBack, heldBack, failing], { health: 'failing', count: 1 }],
  ] as const)(
    'of all lists it is that of the worst, with its count',
    ([questions, declarations, schools], expected) => {
      const lists = { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools }
      expect(verdict(lists)).toEqual(expected)
    },
  )
})

/** Unit formats separate with spaces that do not break. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ')

test.each([
  [preciseDuration, 0, '0 ms'],
  [preciseDuration, 12.4, '12 ms'],
  [preciseDuration, 999.6, '1 s'],
  [preciseDuration, 1_240, '1,2 s'],
  [preciseDuration, 9_949, '9,9 s'],
  [preciseDuration, 12_400, '12 s'],
  [preciseDuration, 300_000, '5 min'],
  [dataSize, 0, '0 kB'],
  [dataSize, 321, '0,3 kB'],
  [dataSize, 4_321, '4,3 kB'],
  [dataSize, 43_210, '43 kB'],
  [dataSize, 999_600, '1 MB'],
  [dataSize, 35_123_456, '35,1 MB'],
  [hourlyRate, 0.04, '< 0,1'],
  [hourlyRate, 123, '120'],
])('%o of %d is %s', (measure, value, text) => {
  expect(plain(measure(value, 'sv'))).toBe(text)
})

test('a rate has the decimals of its language', () => {
  expect([hourlyRate(0.42, 'en'), hourlyRate(0.42, 'sv')]).toEqual(['0.42', '0,42'])
})
