import { describe, expect, it } from 'vitest'
import type { FetchReport } from '@/lib/contract/feed-status'
import { CHART, fetchBars } from './fetch-chart'
import { countOutcomes, fetchTimes } from './fetch-history'

const fetched = (durationMs: number, outcome: FetchReport['outcome'] = 'ok'): FetchReport => ({
  at: '2026-11-20T07:00:00.000Z',
  durationMs,
  bytes: 1,
  outcome,
  detail: '',
})

describe('the chart of the latest fetches', () => {
  it('has the newest at the right and stays within its frame, however many and however long', () => {
    const { bars } = fetchBars(Array.from({ length: 70 }, (_, index) => fetched(10 ** (index % 6))))
    expect(bars).toHaveLength(CHART.slots)
    const inset = bars[0]?.x ?? 0
    expect(inset).toBeGreaterThan(0)
    expect(bars.at(-1)?.x).toBeCloseTo(CHART.width - CHART.width / CHART.slots + inset)
    expect(bars.filter(({ top }) => top < CHART.headroom || top >= CHART.height)).toEqual([])
  })

  it('gives each factor of ten the same height', () => {
    const [short = 0, middle = 0, long = 0] = fetchBars([10_000, 1_000, 100].map((ms) => fetched(ms))).bars.map(
      ({ top }) => top,
    )
    expect(short - middle).toBeCloseTo(middle - long)
  })

  it.each([
    [[fetched(3)], [10, 100]],
    [[fetched(3_000)], [10, 100, 1_000, 10_000]],
    [[], [10, 100]],
  ])('marks the powers of ten up to the longest', (history, lines) => {
    expect(fetchBars(history).gridLines.map(({ ms }) => ms)).toEqual(lines)
    expect(fetchBars(history).bars).toHaveLength(history.length)
  })
})

describe('the fetches as numbers', () => {
  it('counts each outcome that occurs, what is well first', () => {
    const history = [fetched(1, 'unavailable'), fetched(1, 'not-modified'), fetched(1), fetched(1, 'not-modified')]
    expect(countOutcomes(history)).toEqual([
      { outcome: 'ok', count: 1 },
      { outcome: 'not-modified', count: 2 },
      { outcome: 'unavailable', count: 1 },
    ])
  })

  it('gives the middle and the longest time', () => {
    expect(fetchTimes([fetched(9), fetched(1), fetched(2), fetched(400)])).toEqual({ medianMs: 2, longestMs: 400 })
    expect(fetchTimes([])).toEqual({ medianMs: 0, longestMs: 0 })
  })
})
