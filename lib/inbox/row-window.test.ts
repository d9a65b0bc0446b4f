import { expect, test } from 'vitest'
import { firstHeldRows, withHead } from './held-rows'
import { indexOfLead, offsetsOf, rowAt } from './row-window'
import { head } from './test-pages'

test('asks for exactly the pages that the rows on screen lie on', () => {
  expect(offsetsOf(0, 20, 0, 75_000)).toEqual([0])
  expect(offsetsOf(90, 110, 0, 75_000)).toEqual([0, 100])
  expect(offsetsOf(74_990, 75_020, 0, 75_000)).toEqual([74_900])
  expect(offsetsOf(0, 20, 0, 0)).toEqual([0])
})

test('rows held back move the pages along', () => {
  expect(offsetsOf(80, 98, 3, 1_000)).toEqual([0, 100])
})

test('a row whose page is not there is not there either', () => {
  const first = head(1, ['a', 'b'])
  expect(rowAt(150, [{ offset: 0, page: first }], firstHeldRows(first))).toBeUndefined()
})

test('finds a lead where it stands on screen, and not one held back', () => {
  const held = withHead(firstHeldRows(head(1, ['b', 'c'])), head(2, ['a', 'b', 'c']), '-createdAt')
  const pages = [{ offset: 0, page: head(2, ['a', 'b', 'c']) }]
  expect(indexOfLead('c', pages, held)).toBe(1)
  expect(indexOfLead('a', pages, held)).toBe(-1)
  expect(indexOfLead('nobody', pages, held)).toBe(-1)
})
