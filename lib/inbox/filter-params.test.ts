import { describe, expect, test } from 'vitest'
import { periodOf, presetOf, readFilterParams, toListQuery, writtenParam } from './filter-params'

describe('the filters of an address', () => {
  const read = (search: string) => readFilterParams(new URLSearchParams(search))

  test('an address without parameters is the whole list, newest first', () => {
    expect(toListQuery('declarations-of-interest', read(''))).toEqual({ sort: '-createdAt' })
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
    expect(toListQuery('declarations-of-interest', params)).toEqual({ status: ['new'], sort: '-createdAt' })
  })

  test('a list leaves out what only the other list has', () => {
    const params = read('?year=2027&mode=phone&sort=name')
    expect(toListQuery('asked-questions', params)).toEqual({ mode: ['phone'], sort: '-createdAt' })
    expect(toListQuery('declarations-of-interest', params)).toEqual({ year: [2027], sort: 'name' })
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
    expect(toListQuery('declarations-of-interest', chosen, '  ')).toEqual({ sort: '-createdAt' })
  })

  test('who looks after a lead, and what is new to the person, are filters too', () => {
    expect(toListQuery('asked-questions', read('?assignee=me&assignee=none&fresh=1'))).toEqual({
      assignee: ['me', 'none'],
      fresh: true,
      sort: '-createdAt',
    })
    expect(toListQuery('asked-questions', read('?fresh=yes'))).toEqual({ sort: '-createdAt' })
  })

  test('what is written is read again as the same', () => {
    const params = read('?status=new&status=handled&year=2027&year=-3&fresh=1&from=2026-11-01&sort=school&assignee=me')
    const search = new URLSearchParams()
    for (const name of ['school', 'status', 'year', 'mode', 'assignee', 'fresh', 'from', 'to', 'sort'] as const)
      for (const value of writtenParam(params[name])) search.append(name, value)
    expect(readFilterParams(search)).toEqual(params)
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
