import { describe, expect, it } from 'vitest'
import {
  type Arrivals,
  blankLooks,
  failedLooks,
  freshnessOf,
  isAsFresh,
  lostDecisions,
  lostNotes,
  type Look,
  overPace,
  stalenessOf,
  violationsOf,
} from './verdicts'

const LIMITS = { perSecond: 2, perHour: 5 }
const sentAt = (...moments: number[]) => moments.map((at) => ({ at, status: 200 }))

describe('requests to the service', () => {
  it('finds nothing where both windows hold', () => {
    expect(violationsOf(sentAt(0, 999, 1_000, 2_000, 3_000), LIMITS)).toBe(0)
  })
  it('counts what the service refused', () => {
    expect(violationsOf([...sentAt(0), { at: 5_000, status: 429 }], LIMITS)).toBe(1)
  })
  it('counts what is too much within a second although the service let it in', () => {
    expect(violationsOf(sentAt(0, 1, 999, 5_000), LIMITS)).toBe(1)
  })
  it('counts what is too much within an hour', () => {
    expect(violationsOf(sentAt(0, 2_000, 4_000, 6_000, 8_000, 3_599_999), LIMITS)).toBe(1)
    expect(violationsOf(sentAt(0, 2_000, 4_000, 6_000, 8_000, 3_600_000), LIMITS)).toBe(0)
  })
  it('sees a pace that would break the hour', () => {
    const every = (ms: number) => sentAt(...Array.from({ length: 120 }, (_, index) => index * ms))
    expect(overPace(every(2_000), 1_800)).toBe(0)
    expect(overPace(every(700), 1_800)).toBeGreaterThan(0)
  })
})

describe('what was written', () => {
  const now = (status: 'new' | 'handled' | 'dismissed') => new Map([['a', status]])
  const handled = { lead: 'a', status: 'handled', isAnswered: true } as const
  it('misses a decision that was answered and is not there', () => {
    expect(lostDecisions([handled], now('handled'))).toEqual([])
    expect(lostDecisions([handled], now('new'))).toHaveLength(1)
    expect(lostDecisions([handled], new Map())).toHaveLength(1)
  })
  it('takes either outcome of one that was never answered, and no third', () => {
    const unanswered = { lead: 'a', status: 'dismissed', isAnswered: false } as const
    expect(lostDecisions([handled, unanswered], now('handled'))).toEqual([])
    expect(lostDecisions([handled, unanswered], now('dismissed'))).toEqual([])
    expect(lostDecisions([handled, unanswered], now('new'))).toHaveLength(1)
    expect(lostDecisions([unanswered], now('new'))).toEqual([])
  })
  it('misses an answered note and finds one that was written twice', () => {
    const notes = [
      { lead: 'a', text: 'one', isAnswered: true },
      { lead: 'a', text: 'two', isAnswered: false },
    ]
    expect(lostNotes(notes, ['one'])).toEqual([])
    expect(lostNotes(notes, ['two'])).toEqual(['one: gone'])
    expect(lostNotes(notes, ['one', 'two', 'two'])).toEqual(['two: 2 times'])
  })
})

describe('what viewers saw', () => {
  const arrivals: Arrivals = { atFirst: 10, moments: [1_000, 2_000, 3_000] }
  const look = (over: Partial<Look>): Look => ({
    what: 'list',
    at: 0,
    until: 0,
    outcome: 'ok',
    detail: '',
    list: 'asked-questions',
    ...over,
  })
  const both = { 'asked-questions': arrivals, 'declarations-of-interest': arrivals }

  it('is as stale as the oldest lead that is not shown', () => {
    expect(stalenessOf({ until: 2_500, total: 10 }, arrivals)).toBe(1_500)
    expect(stalenessOf({ until: 2_500, total: 11 }, arrivals)).toBe(500)
    expect(stalenessOf({ until: 2_500, total: 12 }, arrivals)).toBe(0)
    expect(stalenessOf({ until: 9_000, total: 13 }, arrivals)).toBe(0)
    expect(stalenessOf({ until: 9_000, total: 0 }, arrivals)).toBe(Infinity)
  })
  it('compares with what one instance keeps', () => {
    const alone = freshnessOf([look({ until: 2_000, total: 10 })], both, 0, 5_000)
    expect(alone).toMatchObject({ looks: 1, meanMs: 1_000 })
    expect(isAsFresh(freshnessOf([look({ until: 2_500, total: 10 })], both, 0, 5_000), alone)).toBe(true)
    expect(isAsFresh(freshnessOf([look({ until: 4_900, total: 10 })], both, 0, 5_000), alone)).toBe(false)
    expect(isAsFresh(freshnessOf([], both, 0, 5_000), alone)).toBe(false)
  })
  it('is stale when one of three instances is', () => {
    const fresh = Array.from({ length: 20 }, () => look({ until: 2_000, total: 11 }))
    const alone = freshnessOf(fresh, both, 0, 99_000)
    const stalled = fresh.map((one, index) => (index % 3 === 0 ? look({ until: 60_000, total: 10 }) : one))
    expect(isAsFresh(freshnessOf(stalled, both, 0, 99_000), alone)).toBe(false)
  })
  it('has failed unless this part of the run may come to it', () => {
    const looks = [look({}), look({ outcome: 'busy' }), look({ outcome: 'wrong' })]
    expect(failedLooks(looks, [])).toHaveLength(2)
    expect(failedLooks(looks, ['busy'])).toHaveLength(1)
  })
  it('is blank when it is said to be', () => {
    expect(blankLooks([look({ isBlank: false }), look({ isBlank: true }), look({})])).toHaveLength(1)
  })
})
