import { expect, test } from 'vitest'
import { firstHeldRows, letIn, withHead } from './held-rows'
import { head, item } from './test-pages'
import { rowAt } from './row-window'

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `lead-${from + i}`).toReversed()

test('new leads are held back until the person asks for them', () => {
  const morning = head(1, ids(1, 5))
  const later = head(2, ids(1, 8))
  const held = withHead(firstHeldRows(morning), later, '-createdAt')
  expect(held.held).toBe(3)
  expect(rowAt(0, [{ offset: 0, page: later }], held)?.id).toBe('lead-5')

  const shown = letIn(held, later)
  expect(shown.held).toBe(0)
  expect(rowAt(0, [{ offset: 0, page: later }], shown)?.id).toBe('lead-8')
})

test('a page of the older version stays where it was while the newer one is on its way', () => {
  const morning = head(1, ids(1, 5))
  const later = head(2, ids(1, 8))
  const held = withHead(firstHeldRows(morning), later, '-createdAt')
  for (const page of [morning, later]) expect(rowAt(2, [{ offset: 0, page }], held)?.id).toBe('lead-3')

  const shown = letIn(held, later)
  for (const page of [morning, later]) expect(rowAt(5, [{ offset: 0, page }], shown)?.id).toBe('lead-3')
})

test('they add up over several refreshes', () => {
  let rows = firstHeldRows(head(1, ids(1, 5)))
  rows = withHead(rows, head(2, ids(1, 6)), '-createdAt')
  rows = withHead(rows, head(3, ids(1, 9)), '-createdAt')
  expect(rows.held).toBe(4)
})

test('an erased first lead does not look like a new one', () => {
  const rows = withHead(firstHeldRows(head(1, ids(1, 5))), head(2, ids(1, 4)), '-createdAt')
  expect(rows.held).toBe(0)
})

test('more new leads than a page holds are counted by the totals', () => {
  const rows = withHead(firstHeldRows(head(1, ids(1, 100))), head(2, ids(201, 300), 300), '-createdAt')
  expect(rows.held).toBe(200)
})

test('in any other order leads take their place at once, nothing is held', () => {
  const rows = withHead(firstHeldRows(head(1, ['b'])), head(2, ['a', 'b']), 'name')
  expect(rows.held).toBe(0)
  expect(rowAt(0, [{ offset: 0, page: { ...head(2, []), items: [item('a')] } }], rows)?.id).toBe('a')
})

test('the first lead of an empty list is not held back', () => {
  expect(withHead(firstHeldRows(head(1, [])), head(2, ['a']), '-createdAt').held).toBe(0)
})

test('a lead that left the list and comes back is not a new one', () => {
  let rows = firstHeldRows(head(1, ['c', 'b', 'a']))
  rows = withHead(rows, head(1, ['b', 'a']), '-createdAt')
  rows = withHead(rows, head(1, ['c', 'b', 'a']), '-createdAt')
  expect(rows.held).toBe(0)
})
