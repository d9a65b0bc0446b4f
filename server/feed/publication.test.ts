import { expect, test } from 'vitest'
import { emptyListState } from './list-state'
import { parsePublished, toLocalTime } from './publication'

const { content: _, ...nothing } = emptyListState()
const publication = { id: 'a', sentAt: 0, state: { ...nothing, fetchedAt: 1_200 }, validators: { wholeAt: 900 } }

test('what another release wrote and this one does not understand is nothing', () => {
  expect(parsePublished(JSON.stringify(publication))).toMatchObject(publication)
  expect(['', '{}', '{"id":1}', '[]'].map(parsePublished)).toEqual([null, null, null, null])
})

test('clocks that differ by less than a quarter of a second count as the same', () => {
  const read = (aheadMs: number) => toLocalTime(publication, aheadMs)
  expect(read(-249)).toMatchObject({ state: { fetchedAt: 1_200, nextAt: null }, validators: { wholeAt: 900 } })
  expect(read(250)).toMatchObject({ state: { fetchedAt: 1_450, nextAt: null }, validators: { wholeAt: 1_150 } })
})
