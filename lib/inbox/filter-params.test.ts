import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import type { LeadFilter } from '@/lib/contract/list-query'
import {
  filterOf,
  flagParams,
  isNarrowed,
  periodOf,
  presetOf,
  readFilterParams,
  toListQuery,
  usual,
  WORK_FLAGS,
  writtenParam,
} from './filter-params'

describe('the filters of an address', () => {
  const read = (search: string) => readFilterParams(new URLSearchParams(search))

  test('an address without parameters is all but what is earlier than the work or put aside, newest first', () => {
    expect(toListQuery('declarations-of-interest', read(''))).toEqual({ ...usual({}), sort: '-createdAt' })
  })

  test('reads everything a shared link says', () => {
    const params = read('?school=norra&school=sodra&status=new&year=2027&from=2026-11-01&to=2026-11-20&sort=name')
    expect(toListQuery('declarations-of-interest', params, ' åsa ')).toEqual({
      school: ['norra', 'sodra'],
      status: ['new'],
      year: [2027],
      from: '2026-11-01',
      to: '2026-11-20',
      q: 'åsa',
      sort: 'name',
    })
  })

  test('what cannot be read falls back instead of breaking the page', () => {
    const params = read('?status=done&status=new&year=soon&from=2026-02-31&to=yesterday&sort=loudest&mode=fax')
    expect(toListQuery('declarations-of-interest', params)).toEqual({
      ...usual({}),
      status: ['new'],
      sort: '-createdAt',
    })
  })

  test('a list leaves out what only the other list has', () => {
    const params = read('?year=2027&mode=phone&sort=name')
    expect(toListQuery('asked-questions', params)).toEqual({ ...usual({}), mode: ['phone'], sort: '-createdAt' })
    expect(toListQuery('declarations-of-interest', params)).toEqual({ ...usual({}), year: [2027], sort: 'name' })
  })

  test('two spellings of one filter are one query', () => {
    const one = toListQuery('declarations-of-interest', read('?school=b&school=a&school=a'))
    expect(one).toEqual(toListQuery('declarations-of-interest', read('?school=a&school=b')))
  })

  test('a search in the address is not read: it would be personal data in a URL', () => {
    expect(toListQuery('declarations-of-interest', read('?q=%C3%85sa'))).not.toHaveProperty('q')
  })

  test('a search has its best matches first, unless an order was chosen', () => {
    expect(toListQuery('declarations-of-interest', read(''), 'åsa')).toEqual({ q: 'åsa' })
    expect(toListQuery('asked-questions', read('?sort=name'), 'åsa')).toEqual({ q: 'åsa' })
    const chosen = read('?sort=-createdAt')
    expect(toListQuery('declarations-of-interest', chosen, 'åsa')).toEqual({ q: 'åsa', sort: '-createdAt' })
    expect(toListQuery('declarations-of-interest', chosen, '  ')).toEqual({ ...usual({}), sort: '-createdAt' })
  })

  test('who looks after a lead, and what is new to the person, are filters too', () => {
    expect(toListQuery('asked-questions', read('?assignee=me&assignee=none&fresh=1'))).toEqual({
      assignee: ['me', 'none'],
      fresh: true,
      ...usual({}),
      sort: '-createdAt',
    })
    expect(toListQuery('asked-questions', read('?fresh=yes'))).toEqual({ ...usual({}), sort: '-createdAt' })
  })

  test('what is written is read again as the same', () => {
    const params = read(
      '?status=new&status=handled&year=2027&year=-3&fresh=1&from=2026-11-01&sort=school&assignee=me&late=1&earlier=all',
    )
    const search = new URLSearchParams()
    for (const name of [
      'school',
      'status',
      'year',
      'mode',
      'assignee',
      'fresh',
      'from',
      'to',
      'sort',
      ...WORK_FLAGS,
    ] as const)
      for (const value of writtenParam(params[name])) search.append(name, value)
    expect(readFilterParams(search)).toEqual(params)
  })
})

describe('what a screen leaves out by itself', () => {
  const query = (search: string, q = '') =>
    filterOf(toListQuery('asked-questions', readFilterParams(new URLSearchParams(search)), q))

  test('is asked for with one word each', () => {
    expect(query('')).toEqual({ earlier: false, snoozed: false })
    expect(query('?earlier=all')).toEqual({ snoozed: false })
    expect(query('?earlier=1')).toEqual({ earlier: true, snoozed: false })
    expect(query('?snoozed=1')).toEqual({ snoozed: true })
    expect(query('?earlier=all&snoozed=all')).toEqual({})
  })

  test('is found by a search, and needs no saying beside what waits or comes back', () => {
    expect(query('', 'åsa')).toEqual({ q: 'åsa' })
    for (const name of ['waiting', 'late', 'followUp']) expect(query(`?${name}=1`)).toEqual({ [name]: true })
    expect(query('?answered=0')).toEqual({ answered: false, earlier: false, snoozed: false })
  })

  test('is no filter of anybody’s', () => {
    expect(isNarrowed(query(''))).toBe(false)
    expect(isNarrowed(query('?earlier=all'))).toBe(false)
    for (const search of ['?earlier=1', '?earlier=0&q=', '?snoozed=1', '?waiting=1', '?status=new'])
      expect(isNarrowed(query(search)), search).toBe(search !== '?earlier=0&q=')
  })

  test('any query is written into an address that is read as the same query', () => {
    const flags = Object.fromEntries(WORK_FLAGS.map((name) => [name, fc.boolean()]))
    fc.assert(
      fc.property(fc.record(flags, { requiredKeys: [] }), fc.constantFrom('', 'åsa'), (chosen: LeadFilter, q) => {
        const filter = { ...chosen, ...(q !== '' && { q }) }
        const address = new URLSearchParams(Object.entries(flagParams(filter)))
        expect(query(`?${address}`, q)).toEqual(filter)
      }),
    )
  })
})

describe('a period', () => {
  test('the last days end today, over the turn of a month and of the clock', () => {
    expect(periodOf('today', '2026-11-20')).toEqual({ from: '2026-11-20', to: null })
    expect(periodOf('7-days', '2026-03-31')).toEqual({ from: '2026-03-25', to: null })
    expect(periodOf('30-days', '2026-01-15')).toEqual({ from: '2025-12-17', to: null })
  })

  test('knows a preset again, and a period of the person’s own', () => {
    expect(presetOf({ from: '2026-11-14', to: null }, '2026-11-20')).toBe('7-days')
    expect(presetOf({ from: '2026-11-14', to: '2026-11-20' }, '2026-11-20')).toBeNull()
    expect(presetOf({ from: null, to: null }, '2026-11-20')).toBeNull()
  })
})
