import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  freshRows,
  HEADING_HEIGHT,
  headingAbove,
  heightOf,
  ROW_HEIGHTS,
  rowAtTop,
  scrollTopFor,
  topOf,
  visibleRows,
} from './row-layout'

const ROW_HEIGHT = ROW_HEIGHTS['declarations-of-interest']
const rowHeight = ROW_HEIGHT
const plain = { count: 1000, fresh: 0, rowHeight }
const parted = { count: 1000, fresh: 3, rowHeight }
const questions = { ...parted, rowHeight: ROW_HEIGHTS['asked-questions'] }
/** High enough for ten rows. */
const window = 10 * ROW_HEIGHT

describe('the layout of the rows', () => {
  it('is nothing but rows while nothing is new', () => {
    expect(topOf(10, plain)).toBe(10 * ROW_HEIGHT)
    expect(heightOf(plain)).toBe(1000 * ROW_HEIGHT)
    expect([0, 3].map((row) => headingAbove(row, plain))).toEqual([null, null])
  })

  it('has a heading above the new rows and one above the others', () => {
    expect([0, 1, 3, 4].map((row) => headingAbove(row, parted))).toEqual(['new', null, 'earlier', null])
    expect(topOf(0, parted)).toBe(HEADING_HEIGHT)
    expect(topOf(3, parted)).toBe(2 * HEADING_HEIGHT + 3 * ROW_HEIGHT)
    expect(heightOf(parted)).toBe(2 * HEADING_HEIGHT + 1000 * ROW_HEIGHT)
  })

  it('has no second heading when all are new, and no height when there are none', () => {
    expect(headingAbove(5, { count: 5, fresh: 5 })).toBeNull()
    expect(heightOf({ count: 5, fresh: 5, rowHeight })).toBe(HEADING_HEIGHT + 5 * ROW_HEIGHT)
    expect(heightOf({ count: 0, fresh: 0, rowHeight })).toBe(0)
  })

  it.each([plain, parted, questions, { count: 40, fresh: 40, rowHeight }])(
    'finds each row again by its place (%o)',
    (layout) => {
      for (let row = 0; row < 40; row++) {
        expect(rowAtTop(topOf(row, layout), layout)).toBe(row)
        expect(rowAtTop(topOf(row, layout) + layout.rowHeight - 1 / 16, layout)).toBe(row)
      }
    },
  )
})

describe('the rows that are drawn', () => {
  it('are those in the window and some on either side', () => {
    expect(visibleRows(0, window, plain, 4)).toEqual({ first: 0, last: 13 })
    expect(visibleRows(100 * ROW_HEIGHT, window, plain, 4)).toEqual({ first: 96, last: 113 })
  })

  it('never reach beyond the list, also when it became shorter than it is scrolled', () => {
    expect(visibleRows(100 * ROW_HEIGHT, window, { count: 20, fresh: 0, rowHeight }, 2)).toEqual({
      first: 18,
      last: 19,
    })
    expect(visibleRows(-20, window, plain, 0)).toEqual({ first: 0, last: 4 })
    expect(visibleRows(-200, window, plain, 0)).toEqual({ first: 0, last: 0 })
    expect(visibleRows(0, window, { count: 0, fresh: 0, rowHeight }, 2)).toEqual({ first: 0, last: -1 })
  })
})

describe('bringing a row into sight', () => {
  it('scrolls as little as possible, and not at all when it is there', () => {
    expect(scrollTopFor(5, 0, window, plain)).toBe(0)
    expect(scrollTopFor(20, 0, window, plain)).toBe(21 * ROW_HEIGHT - window)
    expect(scrollTopFor(5, 60, window, plain)).toBe(5 * ROW_HEIGHT)
  })

  it('leaves it wholly in sight, and does not move it again', () => {
    const place = [fc.nat(75_000), fc.nat(250_000), fc.integer({ min: 6, max: 120 }), fc.nat(200)] as const
    fc.assert(
      fc.property(...place, (row, scrollTop, height, fresh) => {
        const layout = { count: 75_001, fresh, rowHeight }
        const after = scrollTopFor(row, scrollTop, height, layout)
        expect(topOf(row, layout)).toBeGreaterThanOrEqual(after)
        expect(topOf(row, layout) + ROW_HEIGHT).toBeLessThanOrEqual(after + height)
        expect(scrollTopFor(row, after, height, layout)).toBe(after)
      }),
    )
  })

  it('brings the heading along', () => {
    expect(scrollTopFor(0, 30, window, parted)).toBe(0)
    expect(scrollTopFor(3, 60, window, parted)).toBe(topOf(3, parted) - HEADING_HEIGHT)
  })
})

describe('where the new rows end', () => {
  const freshUntil = (end: number, loaded: number) => (index: number) => (index < loaded ? index < end : undefined)

  it('is what the server counted, as long as nothing else is known', () => {
    expect(freshRows(120, 1000, freshUntil(120, 50))).toBe(120)
  })

  it('is corrected by the rows themselves', () => {
    expect(freshRows(5, 1000, freshUntil(3, 50))).toBe(3)
    expect(freshRows(1, 1000, freshUntil(3, 50))).toBe(3)
    expect(freshRows(5, 4, freshUntil(9, 50))).toBe(4)
  })
})
