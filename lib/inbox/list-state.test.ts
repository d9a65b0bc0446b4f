import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'
import {
  adaptListState,
  createListState,
  findNextRow,
  findOpenLead,
  findSubject,
  isMarking,
  type ListEvent,
  type ListState,
  reduceListState,
  type Surroundings,
} from './list-state'
import { item } from './testing/pages'

const query: LeadListQuery = { sort: '-createdAt' }
const other: LeadListQuery = { sort: '-createdAt', q: 'asa oberg' }
const key = (id: string): LeadKey => toLeadKey(item(id))

const place = (id: string, index: number) => ({ key: key(id), index, query })

type Around = { addressed?: string | null; serverRow?: number | null; of?: LeadListQuery; isOfPreviousQuery?: boolean }
/** A list on screen; a dot is a row whose page is not loaded. By default it is on a phone: nothing opens by itself. */
function around(ids: string, its: Around & { filter?: string; isWide?: boolean } = {}): Surroundings {
  const { addressed = null, serverRow, of = query, isOfPreviousQuery = false, filter = 'all', isWide = false } = its
  const all = ids.split('')
  const rows = {
    query: of,
    isOfPreviousQuery,
    count: all.length,
    rowAt: (index: number) => (all[index] === undefined || all[index] === '.' ? undefined : item(all[index])),
    indexOf: (id: LeadKey) => all.findIndex((one) => key(one) === id),
  }
  return { addressedKey: addressed === null ? null : key(addressed), rows, serverRow, filterKey: filter, isWide }
}

const none = createListState('all')
const cursorAt = (id: string, index: number): ListState => ({ ...none, position: place(id, index) })
const opened = (id: string, at: ListState['position'] = null): ListState => {
  return { ...none, position: at, chosen: { key: key(id), query } }
}
const inOther = (ids: string, its: Around = {}) => around(ids, { ...its, of: other })
const atRow = (id: string, row: number) => ({ key: key(id), row, origin: row })
const nobodyFrom = (origin: number) => ({ key: null, row: -1, origin })
const inNoRow = (id: string, origin = -1) => ({ key: key(id), row: -1, origin })
const opensB = opened('b', place('b', 1))

test.each([
  ['without a lead ever chosen is none', none, around('abc'), nobodyFrom(-1)],
  ['is the cursor’s lead, while rows come and go', cursorAt('b', 1), around('xyab'), atRow('b', 3)],
  ['is the open lead, whatever the cursor was at', opened('c', place('a', 0)), around('abc'), atRow('c', 2)],
  ['is none once the cursor’s lead has left', cursorAt('b', 1), around('acd'), nobodyFrom(1)],
  ['is still there where its page is not loaded', cursorAt('d', 3), around('abc..'), atRow('d', 3)],
  ['of another list is where its lead is', cursorAt('b', 1), inOther('cb'), atRow('b', 1)],
  ['of another list is none without its lead', cursorAt('b', 1), inOther('cd'), nobodyFrom(-1)],
  ['keeps its place when it leaves', opensB, around('acd', { serverRow: null }), inNoRow('b', 1)],
  ['opened by a link has the server’s row', opened('z'), around('abc..', { serverRow: 4 }), atRow('z', 4)],
  ['opened by a link may be in no row', opened('z'), around('abc', { serverRow: null }), inNoRow('z')],
  ['is not in a server’s row that holds another lead', opened('z'), around('abc', { serverRow: 1 }), inNoRow('z')],
])('the subject %s', (_, state, its, subject) => {
  expect(findSubject(state, its)).toMatchObject(subject)
})

test('a step leads to the neighbours, or to what took the place of a lead that has left', () => {
  const step = (by: 1 | -1) => [-1, 1].map((row) => findNextRow({ row: -1, origin: row }, by))
  expect([step(-1), step(1)].flat()).toEqual([-2, 0, 0, 1])
  expect(findNextRow({ row: 3, origin: 3 }, 1)).toBe(4)
})

test.each([
  ['stays where it is loaded', inOther('xb'), 'b'],
  ['stays where the server says so', inOther('x..', { serverRow: 2 }), 'b'],
  ['stays until that is known', inOther('x'), 'b'],
  ['stays while the rows are those of before', inOther('x', { serverRow: null, isOfPreviousQuery: true }), 'b'],
  ['stays in its own list, which it has left', around('x', { serverRow: null }), 'b'],
  ['is closed where it is not', inOther('x', { serverRow: null }), null],
])('in another list the chosen lead %s', (_, its, openId) => {
  const state = adaptListState(opensB, { ...its, addressedKey: key('b') })
  expect([findOpenLead(state, false), state.isLost]).toEqual([openId && key(openId), openId === null])
})

test('on a desk the first lead is open in every list, until the user closes it', () => {
  const desk = (state: ListState, ids: string, its: Parameters<typeof around>[1] = {}) => {
    const next = adaptListState(state, around(ids, { ...its, isWide: true }))
    return { next, open: findOpenLead(next, true) }
  }
  const first = desk(none, 'abc')
  expect(first.open).toBe(key('a'))
  expect(adaptListState(first.next, around('abc')).position, 'the screen is a phone after all').toBeNull()
  expect(desk(first.next, 'xbc').open, 'neither new rows nor that it has left change it').toBe(key('a'))
  expect(desk(first.next, 'xy', { of: other, isOfPreviousQuery: true }).open).toBe(key('a'))
  const closed = reduceListState(first.next, { kind: 'closed' })
  expect(desk(closed, 'abc').open).toBeNull()
  for (const { next } of [first, { next: closed }])
    expect(desk(next, 'xy', { of: other, filter: 'q' }).open, 'another list has its own').toBe(key('x'))
})

const loaded = ['a', 'b', 'c'].map(key)
const toggle = (id: string): ListEvent => ({ kind: 'toggled', key: key(id), index: 1, loaded })
const after = (state: ListState, ...events: ListEvent[]) => events.reduce(reduceListState, state)

test('marks are set one by one and taken back; a range adds to them, none twice', () => {
  const two = after(none, toggle('a'), toggle('b')).marks
  expect([[...two.keys], two.anchor?.key]).toEqual([['a', 'b'].map(key), key('b')])
  expect([...after(none, toggle('a'), toggle('b'), toggle('a')).marks.keys]).toEqual([key('b')])
  const range: ListEvent = { kind: 'ranged', filterKey: 'all', key: key('a'), index: 0, keys: loaded }
  const { marks } = after(none, toggle('c'), range)
  expect([[...marks.keys], marks.isAll, marks.anchor?.key]).toEqual([['c', 'a', 'b'].map(key), false, key('a')])
  const rest = after(none, { kind: 'all-marked' }, toggle('b')).marks
  expect([[...rest.keys], rest.isAll], 'all that are loaded but one').toEqual([['a', 'c'].map(key), false])
  const filtered = adaptListState(after(none, toggle('a')), around('abc', { filter: 'q' }))
  expect(filtered.marks.keys).toEqual(new Set())
  expect(after(filtered, range).marks.keys, 'of the filter before').toEqual(new Set())
})

test('of marks and open lead, the later one stands', () => {
  const desk = around('ab', { isWide: true })
  const marked = adaptListState(after(adaptListState(none, desk), toggle('b')), desk)
  expect([findOpenLead(marked, true), [...marked.marks.keys]]).toEqual([null, [key('b')]])
  const chosen = adaptListState(marked, around('ab', { addressed: 'a' }))
  expect([findOpenLead(chosen, false), chosen.marks.keys.size]).toEqual([key('a'), 0])
})

const id = fc.constantFrom(...'abcz')
const event: fc.Arbitrary<ListEvent> = fc.oneof(
  id.map((one): ListEvent => ({ kind: 'opened', ...place(one, 1) })),
  id.map((one): ListEvent => ({ kind: 'moved', ...place(one, 1) })),
  id.map(toggle),
  fc.constantFrom<ListEvent>({ kind: 'closed' }, { kind: 'all-marked' }, { kind: 'choosing' }, { kind: 'unmarked' }),
)
const scene = fc.record({
  ids: fc.constantFrom('abc', 'cab', 'a..', 'xyz', ''),
  of: fc.constantFrom(query, other),
  serverRow: fc.constantFrom(undefined, null, 1),
  isOfPreviousQuery: fc.boolean(),
  filter: fc.constantFrom('all', 'q'),
  isWide: fc.boolean(),
  addressed: fc.option(id),
})

test('whatever happens: one subject, no marks beside an open lead, and in one list no slide to another lead', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.option(event), scene), { maxLength: 40, size: 'max' }), (steps) => {
      let state = none
      for (const [one, { serverRow, ...its }] of steps) {
        const before = one === null ? state : reduceListState(state, one)
        const scenery = around(its.ids, { ...its, ...(serverRow !== undefined && { serverRow }) })
        state = adaptListState(before, scenery)
        const subject = findSubject(state, scenery)
        const openId = findOpenLead(state, its.isWide)
        expect(openId === null || !isMarking(state.marks)).toBe(true)
        expect([subject.key, null], 'keys act on the lead that is open').toContain(openId ?? subject.key)
        const row = scenery.rows.rowAt(subject.row)
        expect(row === undefined || toLeadKey(row) === subject.key, 'its row is its own').toBe(true)
        expect(adaptListState(state, scenery), 'nothing more comes of the same surroundings').toBe(state)
        const isSameList = before.position?.query === its.of && its.filter === 'all' && state.chosen === null
        expect([before.position?.key, null], 'no other lead than before').toContain(isSameList ? subject.key : null)
      }
    }),
    { numRuns: 1_000 },
  )
})
