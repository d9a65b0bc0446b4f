import { describe, expect, it } from 'vitest'
import { ALL_MARKED, isMarked, markedCount, NOTHING_MARKED, toggled, withRange } from './selection'

describe('marking leads', () => {
  it('one by one, and taking one back', () => {
    const two = toggled(toggled(NOTHING_MARKED, 'a', []), 'b', [])
    expect([...two.ids]).toEqual(['a', 'b'])
    expect(two.anchor).toBe('b')
    expect([...toggled(two, 'a', []).ids]).toEqual(['b'])
  })

  it('a range adds to what is marked, none twice', () => {
    const range = withRange(toggled(NOTHING_MARKED, 'c', []), ['a', 'b', 'c'], 'a')
    expect([...range.ids]).toEqual(['c', 'a', 'b'])
    expect(markedCount(range, 1204)).toBe(3)
    expect(range.anchor).toBe('a')
  })

  it('all that match counts all that match, whether loaded or not', () => {
    expect(markedCount(ALL_MARKED, 1204)).toBe(1204)
    expect(isMarked(ALL_MARKED, 'never-seen')).toBe(true)
  })

  it('all but one is the rows on screen but that one', () => {
    const rest = toggled(ALL_MARKED, 'b', ['a', 'b', 'c'])
    expect([...rest.ids]).toEqual(['a', 'c'])
    expect(rest.isAll).toBe(false)
  })
})
