import { describe, expect, test } from 'vitest'
import { head, item } from '@/lib/inbox/testing/pages'
import { toLeadKey } from './lead-text'
import { freezeRows, indexOfLead, listPageOffsets, type LoadedRows, rowAt } from './loaded-rows'

const moment = (version: number, ids: readonly string[], offset = 0): LoadedRows => {
  return { pages: [{ offset, page: head(version, ids) }], total: offset + ids.length }
}
const shown = (rows: LoadedRows) => Array.from({ length: rows.total }, (_, index) => rowAt(index, rows)?.id)

describe('rows that are pointed at', () => {
  test('stay in their places when a colleague’s decision takes one away or brings one', () => {
    const held = moment(1, ['a', 'b', 'c', 'd'])
    expect(shown(freezeRows(held, moment(2, ['a', 'c', 'd'])))).toEqual(['a', 'b', 'c', 'd'])
    expect(shown(freezeRows(held, moment(2, ['a', 'x', 'b', 'c', 'd'])))).toEqual(['a', 'b', 'c', 'd'])
    expect(indexOfLead(toLeadKey(item('c')), freezeRows(held, moment(2, ['c'])))).toBe(2)
  })

  test('say what is known now of their leads', () => {
    const now = moment(2, ['b'])
    const decided = { ...item('b'), firstName: 'Now' }
    const pages = now.pages.map(({ offset, page }) => ({ offset, page: { ...page, items: [decided] } }))
    expect(rowAt(1, freezeRows(moment(1, ['a', 'b']), { ...now, pages }))).toEqual(decided)
  })
})

describe('the rows on screen', () => {
  test.each([
    [0, 20, 75_000, [0]],
    [40, 60, 75_000, [0, 50]],
    [74_990, 75_020, 75_000, [74_950]],
    [0, 20, 0, [0]],
  ])('from %i to %i of %i lie on the pages %j', (first, last, total, offsets) => {
    expect(listPageOffsets(first, last, total)).toEqual(offsets)
  })

  test('are found where they stand, on the later page where two have them, and not beyond the end', () => {
    const rows = { pages: [...moment(1, ['a', 'b', 'c']).pages, ...moment(2, ['c', 'd'], 2).pages], total: 3 }
    expect([0, 2].map((index) => rowAt(index, rows)?.id)).toEqual(['a', 'c'])
    expect([-1, 3, 150].map((index) => rowAt(index, rows)?.id)).toEqual([undefined, undefined, undefined])
    expect(['b', 'd', 'nobody'].map((id) => indexOfLead(toLeadKey(item(id)), rows))).toEqual([1, 3, -1])
  })
})
