import { describe, expect, it } from 'vitest'
import { fetchOutcomeSchema, type FetchReport } from '@/lib/contract/feed-status'
import { CHART, countOutcomes, fetchTimes, outcomeBars, outcomes } from './outcome-bars'

const fetched = (durationMs: number, outcome: FetchReport['outcome'] = 'ok'): FetchReport => ({
  at: '2026-11-20T07:00:00.000Z',
  durationMs,
  bytes: 1,
  outcome,
  detail: '',
})

describe('the chart of the latest fetches', () => {
  it('has the newest at the right and stays within its frame, however many and however long', () => {
    const { bars } = outcomeBars(Array.from({ length: 70 }, (_, index) => fetched(10 ** (index % 6))))
    expect(bars).toHaveLength(CHART.slots)
    expect(bars.at(0)?.x).toBe(0)
    expect(bars.at(-1)?.x).toBe(CHART.width - CHART.slotWidth)
    for (const { top } of bars) {
      expect(top).toBeGreaterThanOrEqual(CHART.headroom)
      expect(top).toBeLessThan(CHART.height)
    }
  })

  it('gives each factor of ten the same height', () => {
    const tops = outcomeBars([fetched(10_000), fetched(1_000), fetched(100)]).bars.map(({ top }) => top)
    const [short = 0, middle = 0, long = 0] = tops
    expect(short - middle).toBeCloseTo(middle - long)
  })

  it('marks the powers of ten up to the longest', () => {
    expect(outcomeBars([fetched(3)]).lines.map(({ ms }) => ms)).toEqual([10, 100])
    expect(outcomeBars([fetched(3_000)]).lines.map(({ ms }) => ms)).toEqual([10, 100, 1_000, 10_000])
    expect(outcomeBars([]).bars).toEqual([])
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

  it('forgets no outcome that the contract knows', () => {
    expect(outcomes.toSorted()).toEqual(fetchOutcomeSchema.options.toSorted())
  })

  it('tells the middle and the longest time', () => {
    expect(fetchTimes([fetched(9), fetched(1), fetched(2), fetched(400)])).toEqual({ medianMs: 2, longestMs: 400 })
    expect(fetchTimes([])).toEqual({ medianMs: 0, longestMs: 0 })
  })
})
