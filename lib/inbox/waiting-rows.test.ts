import { describe, expect, test } from 'vitest'
import { keyOf } from './lead-text'
import { head, item } from '@/lib/inbox/testing/pages'
import { firstRows, indexOfLead, inTheirPlaces, offsetsOf, rowAt, showWaiting, withFirstPage } from './waiting-rows'

describe('new rows', () => {
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `lead-${from + i}`).toReversed()

  test('are held back until the person asks for them, also while the newer page is on its way', () => {
    const morning = head(1, ids(1, 5))
    const later = head(2, ids(1, 8))
    const rows = withFirstPage(firstRows(morning), later, '-createdAt')
    const shown = showWaiting(rows, later)
    expect([rows.waiting, shown.waiting]).toEqual([3, 0])
    const at = (index: number, page: typeof later, of: typeof rows) => rowAt(index, [{ offset: 0, page }], of)?.id
    expect([at(0, later, rows), at(0, later, shown)]).toEqual(['lead-5', 'lead-8'])
    expect([at(2, morning, rows), at(2, later, rows)]).toEqual(['lead-3', 'lead-3'])
    expect([at(5, morning, shown), at(5, later, shown)]).toEqual(['lead-3', 'lead-3'])
  })

  test.each([
    ['add up over several refreshes', [head(1, ids(1, 5)), head(2, ids(1, 6)), head(3, ids(1, 9))], 4],
    ['are none where the first lead was erased', [head(1, ids(1, 5)), head(2, ids(1, 4))], 0],
    ['are counted by the totals beyond a page', [head(1, ids(1, 100)), head(2, ids(201, 300), 300)], 200],
    ['are none in a list that was empty', [head(1, []), head(2, ['a'])], 0],
    ['are none that left and came back', [head(1, ['c', 'b', 'a']), head(1, ['b', 'a']), head(1, ['c', 'b', 'a'])], 0],
  ])('that wait %s', (_, [first = head(1, []), ...later], waiting) => {
    const rows = later.reduce((before, page) => withFirstPage(before, page, '-createdAt'), firstRows(first))
    expect(rows.waiting).toBe(waiting)
  })

  test('in any other order leads take their place at once, nothing is held', () => {
    const rows = withFirstPage(firstRows(head(1, ['b'])), head(2, ['a', 'b']), 'name')
    expect(rows.waiting).toBe(0)
    expect(rowAt(0, [{ offset: 0, page: { ...head(2, []), items: [item('a')] } }], rows)?.id).toBe('a')
  })
})

describe('rows that are pointed at', () => {
  const moment = (version: number, ids: readonly string[]) => {
    const page = head(version, ids)
    return { pages: [{ offset: 0, page }], rows: firstRows(page) }
  }
  const shown = ({ pages, rows }: ReturnType<typeof inTheirPlaces>) =>
    Array.from({ length: rows.total }, (_, index) => rowAt(index, pages, rows)?.id)

  test('stay in their places when a colleague’s decision takes one away or brings one', () => {
    const held = moment(1, ['a', 'b', 'c', 'd'])
    expect(shown(inTheirPlaces(held, moment(2, ['a', 'c', 'd'])))).toEqual(['a', 'b', 'c', 'd'])
    expect(shown(inTheirPlaces(held, moment(2, ['a', 'x', 'b', 'c', 'd'])))).toEqual(['a', 'b', 'c', 'd'])
    expect(indexOfLead(keyOf(item('c')), inTheirPlaces(held, moment(2, ['c'])).pages, held.rows)).toBe(2)
  })

  test('say what is known now of their leads', () => {
    const now = moment(2, ['b'])
    const decided = { ...item('b'), firstName: 'Now' }
    const pages = now.pages.map(({ offset, page }) => ({ offset, page: { ...page, items: [decided] } }))
    const after = inTheirPlaces(moment(1, ['a', 'b']), { ...now, pages })
    expect(rowAt(1, after.pages, after.rows)).toEqual(decided)
  })
})

describe('the rows on screen', () => {
  test.each([
    [0, 20, 0, 75_000, [0]],
    [40, 60, 0, 75_000, [0, 50]],
    [74_990, 75_020, 0, 75_000, [74_950]],
    [0, 20, 0, 0, [0]],
    [30, 48, 3, 1_000, [0, 50]],
  ])('from %i to %i, with %i held back of %i, lie on the pages %j', (first, last, waiting, total, offsets) => {
    expect(offsetsOf(first, last, waiting, total)).toEqual(offsets)
  })

  test('a row that waits, or is beyond the end by now, is at no place on screen', () => {
    const morning = head(1, ['c', 'b', 'a'])
    const later = head(2, ['d', 'c', 'b'])
    const rows = withFirstPage(firstRows(morning), later, '-createdAt')
    const pages = [morning, later].map((page) => ({ offset: 0, page }))
    expect([-1, 0, 1, 2].map((index) => rowAt(index, pages, rows)?.id)).toEqual([undefined, 'c', 'b', undefined])
  })

  test('a row whose page is not there is not there either', () => {
    const first = head(1, ['a', 'b'])
    expect(rowAt(150, [{ offset: 0, page: first }], firstRows(first))).toBeUndefined()
  })

  test('finds a lead where it stands on screen, and not one held back', () => {
    const rows = withFirstPage(firstRows(head(1, ['b', 'c'])), head(2, ['a', 'b', 'c']), '-createdAt')
    const pages = [{ offset: 0, page: head(2, ['a', 'b', 'c']) }]
    expect(indexOfLead(keyOf(item('c')), pages, rows)).toBe(1)
    expect(indexOfLead(keyOf(item('a')), pages, rows)).toBe(-1)
    expect(indexOfLead(keyOf(item('nobody')), pages, rows)).toBe(-1)
  })
})
