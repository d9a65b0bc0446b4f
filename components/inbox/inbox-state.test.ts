import { expect, test } from 'vitest'
import { adaptListState, createListState, type ListEvent, reduceListState } from '@/lib/inbox/list-state'
import { leadPage, item } from '@/lib/inbox/testing/pages'
import { type InboxState, isBackdated, selectLayout, selectMarks } from './inbox-state'
import { toListRows } from './list-rows'

const query = { sort: '-createdAt' } as const

/** As much as is read here of a list of three leads, while two more wait, after what the user has done. */
function inboxAfter(event: ListEvent): InboxState {
  const data = { ...leadPage(1, ['a', 'b', 'c']), waiting: 2 }
  const rows = toListRows({ query, data, error: null }, query, { pages: [{ offset: 0, page: data }], total: 3 })
  const around = { addressedKey: null, rows, serverRow: undefined, filterKey: 'all', isWide: false }
  const listState = adaptListState(reduceListState(createListState('all'), event), around)
  return { ...around, listOrQueue: 'declarations-of-interest', filters: { query }, listState } as InboxState
}

test('all of a list are those that wait too; of a queue those that are shown', () => {
  const all = inboxAfter({ kind: 'all-marked' })
  expect(selectMarks(all)).toMatchObject({ count: 5, total: 5, hasMarks: true, isMarking: true })
  expect(selectMarks({ ...all, listOrQueue: 'waiting' }).total).toBe(3)
  const chosen = selectMarks(inboxAfter({ kind: 'choosing' }))
  expect(chosen, 'before the first mark').toMatchObject({ count: 0, hasMarks: false, isMarking: true })
})

test('the heading has the new leads at the top, and a mark those whose date is earlier', () => {
  const inbox = inboxAfter({ kind: 'choosing' })
  const lastVisit = '2026-11-20T08:00:00.000Z'
  const firstSeen = ['2026-11-20T09:00:00.000Z', '2026-11-19T09:00:00.000Z', '2026-11-20T10:00:00.000Z']
  const items = firstSeen.map((seenAt, row) => ({ ...item(`${row}`), seenAt }))
  const rows = { ...inbox.rows, rowAt: (row: number) => items[row] }
  const layout = selectLayout({ ...inbox, rows, counts: { fresh: 2, freshSince: lastVisit } as InboxState['counts'] })
  expect(layout.headings).toEqual([
    { kind: 'new', row: 0 },
    { kind: 'earlier', row: 1 },
  ])
  expect(items.map((lead, row) => isBackdated(lead, row, layout))).toEqual([false, false, true])
})
