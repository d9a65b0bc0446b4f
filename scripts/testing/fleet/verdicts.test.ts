import { describe, expect, it } from 'vitest'
import {
  type Arrivals,
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
  it.each([
    ['nothing where both windows hold', sentAt(0, 999, 1_000, 2_000, 3_000), 0],
    ['what the service refused', [...sentAt(0), { at: 5_000, status: 429 }], 1],
    ['what is too much within a second although the service let it in', sentAt(0, 1, 999, 5_000), 1],
    ['what is too much within an hour', sentAt(0, 2_000, 4_000, 6_000, 8_000, 3_599_999), 1],
    ['nothing a whole hour later', sentAt(0, 2_000, 4_000, 6_000, 8_000, 3_600_000), 0],
  ])('counts %s', (_, sent, violations) => expect(violationsOf(sent, LIMITS)).toBe(violations))

  it('sees a pace that would break the hour', () => {
    const every = (ms: number) => sentAt(...Array.from({ length: 120 }, (_, index) => index * ms))
    expect(overPace(every(2_000), 1_800)).toBe(0)
    expect(overPace(every(700), 1_800)).toBeGreaterThan(0)
  })
})

describe('what was written', () => {
  const handled = { lead: 'a', status: 'handled', isAnswered: true } as const
  const unanswered = { lead: 'a', status: 'dismissed', isAnswered: false } as const
  it.each([
    [[handled], 'handled', 0],
    [[handled], 'new', 1],
    [[handled], undefined, 1],
    [[handled, unanswered], 'handled', 0],
    [[handled, unanswered], 'dismissed', 0],
    [[handled, unanswered], 'new', 1],
    [[unanswered], 'new', 0],
  ] as const)('of decisions %j and a lead that is %s, %i are lost', (decisions, status, lost) => {
    expect(lostDecisions(decisions, new Map(status && [['a', status]]))).toHaveLength(lost)
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
  const good = { what: 'list', at: 0, until: 0, outcome: 'ok', detail: '', list: 'asked-questions' } as const
  const look = (over: Partial<Look>): Look => ({ ...good, ...over })
  const both = { 'asked-questions': arrivals, 'declarations-of-interest': arrivals }

  it.each([
    [2_500, 10, 1_500],
    [2_500, 11, 500],
    [2_500, 12, 0],
    [9_000, 13, 0],
    [9_000, 0, Infinity],
  ])('at %i ms with %i leads is as stale as the oldest that is not shown', (until, total, staleMs) => {
    expect(stalenessOf({ until, total }, arrivals)).toBe(staleMs)
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
  it('has failed unless the scenario allows the outcome', () => {
    const looks = [look({}), look({ outcome: 'busy' }), look({ outcome: 'wrong' })]
    expect(failedLooks(looks, [])).toHaveLength(2)
    expect(failedLooks(looks, ['busy'])).toHaveLength(1)
  })
})
