import { expect, test } from 'vitest'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { adaptListState, createListState, type ListEvent, reduceListState } from '@/lib/inbox/list-state'
import { head, item } from '@/lib/inbox/testing/pages'
import { type InboxState, selectCursor, selectMarks } from './inbox-state'
import { toListRows } from './list-rows'

const query = { sort: '-createdAt' } as const
const key = (id: string) => toLeadKey(item(id))

/** As much as is read here of a list of leads that are letters, after what the user has done, as on a phone. */
function inbox(ids: string, events: readonly ListEvent[] = [], waiting = 0): InboxState {
  const data = { ...head(1, ids.split('')), waiting }
  const opened = events.flatMap((event) => (event.kind === 'opened' ? [event.key] : []))
  const loaded = { pages: [{ offset: 0, page: data }], total: data.total }
  const rows = toListRows({ query, data, error: null }, query, loaded)
  const around = { addressed: opened.at(-1) ?? null, rows, serverRow: undefined, filter: 'all', isWide: false }
  const listState = adaptListState(events.reduce(reduceListState, createListState('all')), around)
  return { ...around, listOrQueue: 'declarations-of-interest', filters: { query }, listState } as InboxState
}

const open = (id: string, index: number): ListEvent => ({ kind: 'opened', key: key(id), index, query })

test('the cursor has the open lead as the list has it, and the ways on from it', () => {
  expect(selectCursor(inbox('abc'))).toMatchObject({ key: null, row: -1, hasPrevious: false, hasNext: false })
  const first = selectCursor(inbox('abc', [open('a', 0)]))
  expect(first).toMatchObject({ key: key('a'), row: 0, openItem: { id: 'a' }, hasPrevious: false, hasNext: true })
  const last = selectCursor(inbox('abc', [{ ...open('c', 2), kind: 'moved' } as ListEvent]))
  expect(last).toMatchObject({ row: 2, openItem: undefined, hasPrevious: true, hasNext: false })
})

test('all of a list are those that wait too; of a queue those that are shown', () => {
  const all = inbox('abc', [{ kind: 'all-marked' }], 2)
  expect(selectMarks(all)).toMatchObject({ count: 5, total: 5, hasMarks: true, isMarking: true })
  expect(selectMarks({ ...all, listOrQueue: 'waiting' }).total).toBe(3)
  const chosen = selectMarks(inbox('abc', [{ kind: 'choosing' }]))
  expect(chosen, 'before the first mark').toMatchObject({ count: 0, hasMarks: false, isMarking: true })
})
