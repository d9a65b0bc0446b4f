import { expect, test } from 'vitest'
import type { LeadListQuery } from '@/lib/api/leads'
import { fateInNewList, givesWay, isHeavy, stepFrom, subjectOf, unhandledLeft } from './subject'
import { item } from './testing/pages'

const query: LeadListQuery = { sort: '-createdAt' }
const other: LeadListQuery = { sort: '-createdAt', q: 'asa oberg' }

/** A list on screen; a dot stands for a row whose page is not loaded. */
function rows(ids: string, of = query) {
  const all = ids.split('')
  return {
    query: of,
    count: all.length,
    rowAt: (index: number) => (all[index] === undefined || all[index] === '.' ? undefined : item(all[index])),
    indexOf: (id: string) => all.indexOf(id),
  }
}
const mark = (id: string, index: number, of = query) => ({ id, index, query: of })

const gone = { id: null, row: -1, place: -1, apart: null }
const gap = { id: 'b', row: -1 }
test.each([
  ['without a lead ever chosen is none', null, null, undefined, rows('abc'), gone],
  ['is the cursor’s lead, while rows come and go', null, mark('b', 1), undefined, rows('xyab'), { id: 'b', row: 3 }],
  ['is the open lead, whatever the cursor was at', 'c', mark('a', 0), undefined, rows('abc'), { id: 'c', row: 2 }],
  ['is none once the cursor’s lead has left', null, mark('b', 1), undefined, rows('acd'), { ...gone, place: 1 }],
  ['is still there where its page is not loaded', null, mark('d', 3), undefined, rows('abc..'), { id: 'd', row: 3 }],
  ['of another list is where its lead is', null, mark('b', 1), undefined, rows('cb', other), { id: 'b', row: 1 }],
  ['of another list is none without its lead', null, mark('b', 1), undefined, rows('cd', other), gone],
  [
    'keeps the place of an open lead that left',
    'b',
    mark('b', 1),
    null,
    rows('acd'),
    { ...gap, place: 1, apart: 'left' },
  ],
  ['has not left before the server says so', 'b', mark('b', 1), undefined, rows('acd'), { ...gap, apart: null }],
  ['opened by a link has the told row', 'z', null, 4, rows('abc..'), { id: 'z', row: 4, place: 4, apart: null }],
  ['opened by a link may be in no row', 'z', null, null, rows('abc'), { id: 'z', row: -1, apart: 'elsewhere' }],
  ['is not in a told row that holds another lead', 'z', null, 1, rows('abc'), { id: 'z', row: -1, apart: null }],
])('the subject %s', (_, openId, cursor, told, list, subject) => {
  expect(subjectOf(openId, cursor, told, list)).toMatchObject(subject)
})

test.each([
  ['the first row', { row: -1, place: -1 }, [-2, 0]],
  ['the neighbours', { row: 3, place: 3 }, [2, 4]],
  ['what took the place of a lead that has left', { row: -1, place: 1 }, [0, 1]],
])('a step leads to %s', (_, subject, steps) => {
  expect([stepFrom(subject, -1), stepFrom(subject, 1)]).toEqual(steps)
})

test.each([
  ['stays where it is loaded', undefined, 'xb', 'stays'],
  ['stays where the server says so', 2, 'x..', 'stays'],
  ['waits until that is known', undefined, 'x', 'waits'],
  ['is closed where it is not', null, 'x', 'closes'],
])('in another list the open lead %s', (_, told, ids, fate) => {
  expect(fateInNewList(subjectOf('b', mark('b', 1), told, rows(ids, other)), told)).toBe(fate)
})

test('of marks and open lead, the later one stands', () => {
  expect(givesWay(true, 'a', 'a'), 'marked while a lead was open').toBe('lead')
  expect(givesWay(true, 'b', null), 'opened from elsewhere while leads were marked').toBe('marks')
  expect(givesWay(false, 'a', 'a')).toBeNull()
  expect(givesWay(true, null, 'a')).toBeNull()
})

test('more than fifty are asked about', () => {
  expect([50, 51].map(isHeavy)).toEqual([false, true])
})

test.each([
  ['is counted in the list on screen', { new: 12 }, query, 0, 12],
  ['is none where that is left out', { handled: 3 }, query, 0, 0],
  ['is never less than what is to be seen', { new: 0 }, query, 2, 2],
  ['is unknown without a count', undefined, query, 0, undefined],
  ['is unknown where the list shows no new leads', { new: 5 }, { ...query, status: ['in-progress'] }, 0, undefined],
] as const)('the number of leads that are left %s', (_, status, shown, seen, left) => {
  expect(unhandledLeft(status && { status }, shown as LeadListQuery, seen)).toBe(left)
})
