import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadListQuery } from '@/lib/api/leads'
import {
  firstState,
  isHeavy,
  isMarked,
  listAfter,
  type ListEvent,
  type ListState,
  markedCount,
  stepFrom,
  subjectOf,
} from './list-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import { item } from './testing/pages'

const query: LeadListQuery = { sort: '-createdAt' }
const other: LeadListQuery = { sort: '-createdAt', q: 'asa oberg' }

/** A list on screen; a dot stands for a row whose page is not loaded. */
function rows(ids: string, of = query, isPrevious = false) {
  const all = ids.split('')
  return {
    query: of,
    isPrevious,
    count: all.length,
    rowAt: (index: number) => (all[index] === undefined || all[index] === '.' ? undefined : item(all[index])),
    indexOf: (id: string) => all.indexOf(id),
  }
}
/** Which kind a lead is of makes no difference here: a letter names it. */
const key = (id: string) => id as LeadKey
const place = (id: string, index: number, of = query) => ({ id: key(id), index, query: of })

const gone = { id: null, row: -1, place: -1, apart: null }
const gap = { id: 'b', row: -1 }
test.each([
  ['without a lead ever chosen is none', null, null, undefined, rows('abc'), gone],
  ['is the cursor’s lead, while rows come and go', null, place('b', 1), undefined, rows('xyab'), { id: 'b', row: 3 }],
  ['is the open lead, whatever the cursor was at', 'c', place('a', 0), undefined, rows('abc'), { id: 'c', row: 2 }],
  ['is none once the cursor’s lead has left', null, place('b', 1), undefined, rows('acd'), { ...gone, place: 1 }],
  ['is still there where its page is not loaded', null, place('d', 3), undefined, rows('abc..'), { id: 'd', row: 3 }],
  ['of another list is where its lead is', null, place('b', 1), undefined, rows('cb', other), { id: 'b', row: 1 }],
  ['of another list is none without its lead', null, place('b', 1), undefined, rows('cd', other), gone],
  [
    'keeps the place of an open lead that left',
    'b',
    place('b', 1),
    null,
    rows('acd'),
    { ...gap, place: 1, apart: 'left' },
  ],
  ['has not left before the server says so', 'b', place('b', 1), undefined, rows('acd'), { ...gap, apart: null }],
  ['opened by a link has the server’s row', 'z', null, 4, rows('abc..'), { id: 'z', row: 4, place: 4, apart: null }],
  ['opened by a link may be in no row', 'z', null, null, rows('abc'), { id: 'z', row: -1, apart: 'elsewhere' }],
  ['is not in a server’s row that holds another lead', 'z', null, 1, rows('abc'), { id: 'z', row: -1, apart: null }],
])('the subject %s', (_, openId, at, serverRow, list, subject) => {
  expect(subjectOf({ openId: openId === null ? null : key(openId), at }, list, serverRow)).toMatchObject(subject)
})

test.each([
  ['the first row', { row: -1, place: -1 }, [-2, 0]],
  ['the neighbours', { row: 3, place: 3 }, [2, 4]],
  ['what took the place of a lead that has left', { row: -1, place: 1 }, [0, 1]],
])('a step leads to %s', (_, subject, steps) => {
  expect([stepFrom(subject, -1), stepFrom(subject, 1)]).toEqual(steps)
})

const after = (state: ListState, ...events: ListEvent[]) => events.reduce(listAfter, state)
const none = firstState(null, query, 'all')
const open = (id: string): ListEvent => ({ is: 'opened', ...place(id, 1) })
const toggle = (id: string): ListEvent => ({ is: 'toggled', id: key(id), index: 1, shown: ['a', 'b', 'c'].map(key) })
const address = (id: string | null): ListEvent => ({ is: 'addressed', id: id === null ? null : key(id), query })
const arrive = (ids: string, of = query, serverRow?: number | null, isPrevious = false): ListEvent => {
  return { is: 'arrived', rows: rows(ids, of, isPrevious), serverRow }
}

test.each([
  ['stays where it is loaded', arrive('xb', other), 'b'],
  ['stays where the server says so', arrive('x..', other, 2), 'b'],
  ['stays until that is known', arrive('x', other), 'b'],
  ['stays while the rows are those of before', arrive('x', other, null, true), 'b'],
  ['stays in its own list, which it has left', arrive('x', query, null), 'b'],
  ['is closed where it is not', arrive('x', other, null), null],
])('in another list the open lead %s', (_, event, openId) => {
  const state = after(none, open('b'), address('b'), event)
  expect([state.openId, state.isLost]).toEqual([openId, openId === null])
  expect(after(state, event)).toBe(openId === null ? state : after(state, event))
})

test('the cursor moves, and while a lead is open the next one is opened', () => {
  const moved = after(none, { is: 'moved', ...place('c', 2) })
  expect([moved.openId, moved.at]).toEqual([null, place('c', 2)])
  expect(after(none, open('b'), { is: 'moved', ...place('c', 2) })).toMatchObject({ openId: 'c', at: place('c', 2) })
  expect(after(moved, arrive('xxc')).at, 'it follows its lead').toEqual(place('c', 2))
  expect(after(moved, arrive('xxxc')).at).toEqual(place('c', 3))
})

test('the address is followed when it is changed from outside, and is not when it only catches up', () => {
  const opened = after(none, open('b'))
  expect(after(opened, address(null)), 'not written there yet').toBe(opened)
  expect(after(opened, address('b')).openId).toBe('b')
  expect(after(opened, address('b'), address(null)).openId).toBe(null)
  expect(after(opened, address('b'), { is: 'closed' }, address('b')).openId, 'a step back is on its way').toBe(null)
  expect(after(none, address('z')).openId).toBe('z')
})

test('of marks and open lead, the later one stands', () => {
  expect(after(none, open('a'), toggle('b'))).toMatchObject({ openId: null, marks: { ids: new Set('b') } })
  for (const event of [open('b'), address('b')])
    expect(after(none, toggle('a'), event)).toMatchObject({ openId: 'b', marks: { ids: new Set() } })
  expect(after(none, open('a'), { is: 'allMarked' }).openId).toBe(null)
})

test('marks are set one by one and taken back; a range adds to them, none twice', () => {
  const two = after(none, toggle('a'), toggle('b')).marks
  expect([[...two.ids], two.anchor?.id]).toEqual([['a', 'b'], 'b'])
  expect([...after(none, toggle('a'), toggle('b'), toggle('a')).marks.ids]).toEqual(['b'])
  const range: ListEvent = { is: 'ranged', filter: 'all', id: key('a'), index: 0, ids: ['a', 'b', 'c'].map(key) }
  const { marks } = after(none, toggle('c'), range)
  expect([[...marks.ids], markedCount(marks, 1204), marks.anchor?.id]).toEqual([['c', 'a', 'b'], 3, 'a'])
  expect(after(none, { is: 'filtered', filter: 'q' }, range).marks.ids, 'of the filter before').toEqual(new Set())
  expect(after(none, toggle('a'), { is: 'filtered', filter: 'q' }).marks.ids).toEqual(new Set())
})

test('all that match are all, whether loaded or not; all but one are the rows on screen but that one', () => {
  const { marks } = after(none, { is: 'allMarked' })
  expect([markedCount(marks, 1204), isMarked(marks, key('never-seen'))]).toEqual([1204, true])
  const rest = after(none, { is: 'allMarked' }, toggle('b')).marks
  expect([[...rest.ids], rest.isAll]).toEqual([['a', 'c'], false])
})

test('more than fifty are asked about', () => {
  expect([50, 51].map(isHeavy)).toEqual([false, true])
})

const id = fc.constantFrom(...'abcz')
const list = fc.constantFrom('abc', 'cab', 'a..', 'xyz', '')
const event: fc.Arbitrary<ListEvent> = fc.oneof(
  id.map(open),
  id.map((one): ListEvent => ({ is: 'moved', ...place(one, 1) })),
  id.map(toggle),
  fc.option(id).map(address),
  fc.constantFrom<ListEvent>({ is: 'closed' }, { is: 'allMarked' }, { is: 'choosing' }, { is: 'unmarked' }),
  fc.record({ is: fc.constant('filtered' as const), filter: fc.constantFrom('all', 'q') }),
  fc
    .tuple(list, fc.constantFrom(query, other), fc.constantFrom(undefined, null, 1), fc.boolean())
    .map((one) => arrive(...one)),
)

test('whatever happens: one subject, no marks beside an open lead, and the cursor never slides to another lead', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40, size: 'max' }), (events) => {
      let state = none
      for (const one of events) {
        const before = state
        state = listAfter(state, one)
        expect(state.openId === null || markedCount(state.marks, 1) === 0).toBe(true)
        if (one.is !== 'arrived') continue
        const subject = subjectOf(state, one.rows, one.serverRow)
        const shown = one.rows.rowAt(subject.row)
        expect(shown === undefined || shown.id === subject.id, 'its row is its own').toBe(true)
        expect([before.at?.id ?? null, before.openId, null], 'no other lead than before').toContain(subject.id)
        expect(listAfter(state, one), 'nothing more comes of the same rows').toBe(state)
      }
    }),
    { numRuns: 1_000 },
  )
})
