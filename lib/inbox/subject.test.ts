import { describe, expect, test } from 'vitest'
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

describe('the one subject', () => {
  test('without a lead ever chosen there is none, and down leads to the first', () => {
    const none = subjectOf(null, null, undefined, rows('abc'))
    expect(none).toEqual({ id: null, row: -1, place: -1, apart: null })
    expect(stepFrom(none, 1)).toBe(0)
  })

  test('the cursor holds on to its lead while rows come and go', () => {
    expect(subjectOf(null, mark('b', 1), undefined, rows('xyab'))).toMatchObject({ id: 'b', row: 3 })
  })

  test('the open lead is the cursor, whatever the cursor was at', () => {
    expect(subjectOf('c', mark('a', 0), undefined, rows('abc'))).toMatchObject({ id: 'c', row: 2, apart: null })
  })

  test('a cursor whose lead has left is at nobody, and down goes on with what took its place', () => {
    const gone = subjectOf(null, mark('b', 1), undefined, rows('acd'))
    expect(gone).toMatchObject({ id: null, row: -1, place: 1 })
    expect([stepFrom(gone, -1), stepFrom(gone, 1)]).toEqual([0, 1])
  })

  test('a cursor that was scrolled out of the loaded rows is still there', () => {
    expect(subjectOf(null, mark('d', 3), undefined, rows('abc..'))).toMatchObject({ id: 'd', row: 3 })
  })

  test('in another list the cursor is where its lead is, or nowhere', () => {
    expect(subjectOf(null, mark('b', 1), undefined, rows('cb', other))).toMatchObject({ id: 'b', row: 1 })
    expect(subjectOf(null, mark('b', 1), undefined, rows('cd', other))).toEqual({
      id: null,
      row: -1,
      place: -1,
      apart: null,
    })
  })

  test('an open lead that left by itself keeps its own place, and no row stands for it', () => {
    const apart = subjectOf('b', mark('b', 1), null, rows('acd'))
    expect(apart).toEqual({ id: 'b', row: -1, place: 1, apart: 'left' })
    expect([stepFrom(apart, -1), stepFrom(apart, 1)]).toEqual([0, 1])
  })

  test('until the server has said so, nothing is claimed of it', () => {
    expect(subjectOf('b', mark('b', 1), undefined, rows('acd'))).toMatchObject({ row: -1, apart: null })
  })

  test('one opened by a link has the row that the server tells, and none when it tells of none', () => {
    expect(subjectOf('z', null, 4, rows('abc..'))).toMatchObject({ id: 'z', row: 4, place: 4, apart: null })
    expect(subjectOf('z', null, null, rows('abc'))).toMatchObject({ id: 'z', row: -1, apart: 'elsewhere' })
  })

  test('a told row that holds somebody else is not believed', () => {
    expect(subjectOf('z', null, 1, rows('abc'))).toMatchObject({ id: 'z', row: -1, apart: null })
  })
})

describe('when the person asks for another list', () => {
  test('the open lead stays if it is there, loaded or not', () => {
    expect(fateInNewList(subjectOf('b', mark('b', 1), undefined, rows('xb', other)), undefined)).toBe('stays')
    expect(fateInNewList(subjectOf('b', mark('b', 1), 2, rows('x..', other)), 2)).toBe('stays')
  })

  test('it is closed if it is not, and waits until that is known', () => {
    expect(fateInNewList(subjectOf('b', mark('b', 1), undefined, rows('x', other)), undefined)).toBe('waits')
    expect(fateInNewList(subjectOf('b', mark('b', 1), null, rows('x', other)), null)).toBe('closes')
  })
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

describe('what is left', () => {
  const counts = (status: Record<string, number>) => ({ status })

  test('is counted in the list on screen; a count that is left out is none', () => {
    expect(unhandledLeft(counts({ new: 12 }), query, 0)).toBe(12)
    expect(unhandledLeft(counts({ handled: 3 }), query, 0)).toBe(0)
  })

  test('is never said to be nothing while unhandled leads are to be seen', () => {
    expect(unhandledLeft(counts({ new: 0 }), query, 2)).toBe(2)
  })

  test('is not told where it is not known, or where the list shows no unhandled leads', () => {
    expect(unhandledLeft(undefined, query, 0)).toBeUndefined()
    expect(unhandledLeft(counts({ new: 5 }), { ...query, status: ['in-progress'] }, 0)).toBeUndefined()
  })
})
