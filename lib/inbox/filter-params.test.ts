import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import {
  defaultFilter,
  hasAnyFilter,
  isNarrowed,
  readFilterParams,
  toListQuery,
  toParamValues,
  withoutSort,
  WORK_FLAGS,
} from './filter-params'
import { toFlagParams } from './view-link'
import { toQueryString } from '@/lib/api/send'

const read = (search: string) => readFilterParams(new URLSearchParams(search))
const declarations = (search: string, q?: string) => toListQuery('declarations-of-interest', read(search), q)
const questions = (search: string, q?: string) => toListQuery('asked-questions', read(search), q)
const newest = { ...defaultFilter({}), sort: '-createdAt' }

describe('the filters of an address', () => {
  const SHARED = 'year=2027&from=2026-11-01&to=2026-11-20&sort=name'
  const period = { from: '2026-11-01', to: '2026-11-20' }
  const shared = { school: ['norra', 'sodra'], status: ['new'], year: [2027], ...period, q: 'åsa', sort: 'name' }
  const NONSENSE = 'year=soon&from=2026-02-31&to=yesterday&sort=loudest&mode=fax'
  test.each([
    ['a shared link is read in full', declarations(`?school=norra&school=sodra&status=new&${SHARED}`, ' åsa '), shared],
    ['nonsense is ignored', declarations(`?status=done&status=new&${NONSENSE}`), { ...newest, status: ['new'] }],
    ['days that the API refuses are ignored', declarations('?from=1899-12-31&to=9000-01-01'), newest],
    ['questions have no year', questions('?year=2027&mode=phone&sort=name'), { ...newest, mode: ['phone'] }],
    ['declarations have no mode', declarations('?year=2027&mode=phone'), { ...newest, year: [2027] }],
    ['two spellings are one', questions('?school=b&school=a&school=a'), questions('?school=a&school=b')],
    ['a search in the address is not read', declarations('?q=%C3%85sa'), newest],
    ['a search has its best matches first', declarations('', 'åsa'), { q: 'åsa' }],
    ['also where the list does not have the order', questions('?sort=name', 'åsa'), { q: 'åsa' }],
    ['unless one was chosen', declarations('?sort=-createdAt', 'åsa'), { q: 'åsa', sort: '-createdAt' }],
    ['blanks are no search, and no ids', declarations('?sort=-createdAt&school=', '  '), newest],
    ['years are bounded', declarations('?year=-10000&year=-9999&year=100000').year, [-9999]],
    ['only 1 is yes', [questions('?fresh=1').fresh, questions('?fresh=yes').fresh], [true, undefined]],
  ])('%s', (_, query, expected) => expect(query).toEqual(expected))

  test('what is written is read again as the same', () => {
    const params = read(
      '?status=new&status=handled&year=2027&year=-3&fresh=1&from=2026-11-01&sort=school&assignee=me&late=1&earlier=all',
    )
    const written = Object.entries(params).flatMap(([name, value]) => toParamValues(value).map((text) => [name, text]))
    expect(readFilterParams(new URLSearchParams(written))).toEqual(params)
  })
})

describe('what a screen leaves out by itself', () => {
  const query = (search: string, q = '') => withoutSort(questions(search, q))

  test.each([
    ['', { earlier: false, snoozed: false }],
    ['?earlier=1', { earlier: true, snoozed: false }],
    ['?snoozed=1', { snoozed: true }],
    ['?earlier=all&snoozed=all', {}],
    ['?waiting=1', { waiting: true }],
    ['?late=1', { late: true }],
    ['?followUp=1', { followUp: true }],
    ['?answered=0', { answered: false, earlier: false, snoozed: false }],
  ])('follows from the rest of %j', (search, filter) => expect(query(search)).toEqual(filter))

  test.each([
    [false, ['', '?earlier=all', '?earlier=0&q=', '?school=norra']],
    [true, ['?earlier=1', '?snoozed=1', '?waiting=1', '?status=new', '?school=norra&mode=phone']],
  ])('counts as a filter (%s): %j', (is, searches) => {
    for (const search of searches) expect(isNarrowed(query(search)), search).toBe(is)
  })

  test('any query is written into an address that is read as the same query', () => {
    const flags = Object.fromEntries(WORK_FLAGS.map((name) => [name, fc.boolean()]))
    fc.assert(
      fc.property(fc.record(flags, { requiredKeys: [] }), fc.constantFrom('', 'åsa'), (chosen: LeadFilter, q) => {
        const filter = { ...chosen, ...(q !== '' && { q }) }
        expect(query(toQueryString(toFlagParams(filter)), q)).toEqual(filter)
      }),
    )
  })
})

test.each([
  [false, ['', '?school=norra&sort=name', '?waiting=1']],
  [true, ['?waiting=0', '?status=new', '?snoozed=all', '?assignee=me', '?late=1&waiting=1', '?mode=phone']],
])('there are chips (%s) for %j', (are, searches) => {
  for (const search of searches) expect(hasAnyFilter(read(search)), search).toBe(are)
})

test('a queue says schools, topics and kind; what a list knows is no matter of it', () => {
  const query = (search: string) => toListQuery('waiting', read(search), '  åsa ')
  const both = { school: ['a', 'b'], q: 'åsa' }
  expect(query('school=b&school=a&school=b&status=new&sort=name&lead=x&kind=other')).toEqual(both)
  expect(query('school=a&school=b&kind=asked-question')).toEqual({ ...both, kind: 'asked-question' })
})
