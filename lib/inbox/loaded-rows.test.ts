import { expect, test } from 'vitest'
import { leadPage, item } from '@/lib/inbox/testing/pages'
import { toLeadKey } from './lead-text'
import { freezeRows, findLeadIndex, listPageOffsets, type LoadedRows, rowAt } from './loaded-rows'

const moment = (version: number, ids: string, offset = 0): LoadedRows => {
  return { pages: [{ offset, page: leadPage(version, ids.split('')) }], total: offset + ids.length }
}
const shown = (rows: LoadedRows) => Array.from({ length: rows.total }, (_, index) => rowAt(index, rows)?.id).join('')

test('rows that are pointed at stay in their places, and say what is known now of their leads', () => {
  const held = moment(1, 'abcd')
  for (const ids of ['acd', 'axbcd']) expect(shown(freezeRows(held, moment(2, ids)))).toBe('abcd')
  const decided = { ...item('c'), late: true }
  const now = freezeRows(held, { total: 1, pages: [{ offset: 0, page: { ...leadPage(2, []), items: [decided] } }] })
  expect([rowAt(2, now), findLeadIndex(toLeadKey(decided), now)]).toEqual([decided, 2])
})

test.each([
  [0, 20, 75_000, [0]],
  [40, 60, 75_000, [0, 50]],
  [74_990, 75_020, 75_000, [74_950]],
  [0, 20, 0, [0]],
])('the rows from %i to %i of %i lie on the pages %j', (first, last, total, offsets) => {
  expect(listPageOffsets(first, last, total)).toEqual(offsets)
})

test('rows are found where they stand, on the later page where two have them, and not beyond the end', () => {
  const rows = { pages: [...moment(1, 'abc').pages, ...moment(2, 'cd', 2).pages], total: 3 }
  expect([0, 2, -1, 3].map((index) => rowAt(index, rows)?.id)).toEqual(['a', 'c', undefined, undefined])
  expect(['b', 'd', 'nobody'].map((id) => findLeadIndex(toLeadKey(item(id)), rows))).toEqual([1, 3, -1])
})
