import { expect, test } from 'vitest'
import {
  countFreshRows,
  createDeadlineHeadings,
  HEADING_HEIGHT,
  computeHeight,
  ROW_HEIGHTS,
  findRowAt,
  type RowHeading,
  findRowTop,
  findVisibleRows,
} from './row-layout'

const rowHeight = ROW_HEIGHTS['declarations-of-interest']
const headed = (fresh: number): RowHeading[] => [
  { kind: 'new', row: 0 },
  { kind: 'earlier', row: fresh },
]
const plain = { count: 1000, headings: [], rowHeight }
const parted = { count: 1000, headings: headed(3), rowHeight }
const none = { count: 0, headings: [], rowHeight }
/** High enough for ten rows. */
const window = 10 * rowHeight

test('rows begin below the headings above them, and the list is as high as both', () => {
  expect(findRowTop(10, plain)).toBe(10 * rowHeight)
  expect([findRowTop(0, parted), findRowTop(3, parted)]).toEqual([HEADING_HEIGHT, 2 * HEADING_HEIGHT + 3 * rowHeight])
  expect([computeHeight(parted), computeHeight(none)]).toEqual([2 * HEADING_HEIGHT + 1000 * rowHeight, 0])
})

test.each([plain, parted, { ...plain, headings: headed(40) }])('a row is found by its place (%o)', (layout) => {
  for (let row = 0; row < 40; row++)
    for (const within of [0, rowHeight - 1 / 16]) expect(findRowAt(findRowTop(row, layout) + within, layout)).toBe(row)
})

test.each([
  ['at the top, with some below', 0, plain, 4, 0, 13],
  ['in the middle, with some on either side', 100 * rowHeight, plain, 4, 96, 113],
  ['of a list that became shorter than it is scrolled', 100 * rowHeight, { ...plain, count: 20 }, 2, 18, 19],
  ['of a list that a window has just reached', -20, plain, 0, 0, 4],
  ['of none', 0, none, 2, 0, -1],
])('rows are drawn: those %s', (_, scrollTop, layout, spare, first, last) => {
  expect(findVisibleRows(scrollTop, window, layout, spare)).toEqual({ first, last })
})

const first50 = (end: number) => (index: number) => (index < 50 ? index < end : undefined)
test.each([
  ['are as many as the server counted, as long as nothing else is known', 120, 1000, first50(120), 120],
  ['are corrected by the rows themselves', 5, 1000, first50(3), 3],
  ['are in the list', 5, 4, first50(9), 4],
  ['are without what came late, with an earlier date', 3, 1000, (index: number) => [0, 2, 3].includes(index), 1],
])('the new rows %s', (_, counted, count, isFresh, fresh) => {
  expect(countFreshRows(counted, count, isFresh)).toBe(fresh)
})

test('a queue is headed by deadline, with the server’s numbers, unless all have the same', () => {
  const headings = createDeadlineHeadings({ late: 2, today: 0, tomorrow: 3, later: 40 })
  const texts = headings.map(({ kind, row, count }) => `${row}: ${kind} ${count}`)
  expect(texts).toEqual(['0: late 2', '2: tomorrow 3', '5: later 40'])
  expect(createDeadlineHeadings({ late: 2, today: 0, tomorrow: 0, later: 0 })).toEqual([])
})
