import { describe, expect, test } from 'vitest'
import { head, item } from '@/lib/inbox/testing/pages'
import { firstRows, indexOfLead, offsetsOf, rowAt, showWaiting, withFirstPage } from './waiting-rows'

describe('new rows', () => {
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `lead-${from + i}`).toReversed()

  test('new leads are held back until the person asks for them', () => {
    const morning = head(1, ids(1, 5))
    const later = head(2, ids(1, 8))
    const rows = withFirstPage(firstRows(morning), later, '-createdAt')
    expect(rows.waiting).toBe(3)
    expect(rowAt(0, [{ offset: 0, page: later }], rows)?.id).toBe('lead-5')

    const shown = showWaiting(rows, later)
    expect(shown.waiting).toBe(0)
    expect(rowAt(0, [{ offset: 0, page: later }], shown)?.id).toBe('lead-8')
  })

  test('a page of the older version stays where it was while the newer one is on its way', () => {
    const morning = head(1, ids(1, 5))
    const later = head(2, ids(1, 8))
    const rows = withFirstPage(firstRows(morning), later, '-createdAt')
    for (const page of [morning, later]) expect(rowAt(2, [{ offset: 0, page }], rows)?.id).toBe('lead-3')

    const shown = showWaiting(rows, later)
    for (const page of [morning, later]) expect(rowAt(5, [{ offset: 0, page }], shown)?.id).toBe('lead-3')
  })

  test('they add up over several refreshes', () => {
    let rows = firstRows(head(1, ids(1, 5)))
    rows = withFirstPage(rows, head(2, ids(1, 6)), '-createdAt')
    rows = withFirstPage(rows, head(3, ids(1, 9)), '-createdAt')
    expect(rows.waiting).toBe(4)
  })

  test('an erased first lead does not look like a new one', () => {
    const rows = withFirstPage(firstRows(head(1, ids(1, 5))), head(2, ids(1, 4)), '-createdAt')
    expect(rows.waiting).toBe(0)
  })

  test('more new leads than a page holds are counted by the totals', () => {
    const rows = withFirstPage(firstRows(head(1, ids(1, 100))), head(2, ids(201, 300), 300), '-createdAt')
    expect(rows.waiting).toBe(200)
  })

  test('in any other order leads take their place at once, nothing is held', () => {
    const rows = withFirstPage(firstRows(head(1, ['b'])), head(2, ['a', 'b']), 'name')
    expect(rows.waiting).toBe(0)
    expect(rowAt(0, [{ offset: 0, page: { ...head(2, []), items: [item('a')] } }], rows)?.id).toBe('a')
  })

  test('the first lead of an empty list is not held back', () => {
    expect(withFirstPage(firstRows(head(1, [])), head(2, ['a']), '-createdAt').waiting).toBe(0)
  })

  test('a lead that left the list and comes back is not a new one', () => {
    let rows = firstRows(head(1, ['c', 'b', 'a']))
    rows = withFirstPage(rows, head(1, ['b', 'a']), '-createdAt')
    rows = withFirstPage(rows, head(1, ['c', 'b', 'a']), '-createdAt')
    expect(rows.waiting).toBe(0)
  })
})

describe('the rows on screen', () => {
  test('asks for exactly the pages that the rows on screen lie on', () => {
    expect(offsetsOf(0, 20, 0, 75_000)).toEqual([0])
    expect(offsetsOf(40, 60, 0, 75_000)).toEqual([0, 50])
    expect(offsetsOf(74_990, 75_020, 0, 75_000)).toEqual([74_950])
    expect(offsetsOf(0, 20, 0, 0)).toEqual([0])
  })

  test('rows held back move the pages along', () => {
    expect(offsetsOf(30, 48, 3, 1_000)).toEqual([0, 50])
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
    expect(indexOfLead('c', pages, rows)).toBe(1)
    expect(indexOfLead('a', pages, rows)).toBe(-1)
    expect(indexOfLead('nobody', pages, rows)).toBe(-1)
  })
})
