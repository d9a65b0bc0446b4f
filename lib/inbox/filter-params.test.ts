import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toQueryString } from '@/lib/api/send'
import type { LeadFilter } from '@/lib/contract/list-query'
import {
  findDefaultFilter,
  type FilterChange,
  hasAnyFilter,
  isNarrowed,
  isToDo,
  listAssignees,
  parseFilterParams,
  setToDo,
  toListQuery,
  toParamValues,
  omitSort,
  WORK_FLAGS,
} from './filter-params'
import { findFilterStates, type StatusChoice, toggleStatusChoice } from './filter-states'
import { findPreset, toPeriod } from './period-presets'
import { isSameQuery, toFlagParams, toViewHref } from './view-link'

const read = (search: string) => parseFilterParams(new URLSearchParams(search))
const declarations = (search: string, q?: string) => toListQuery('declarations-of-interest', read(search), q)
const questions = (search: string, q?: string) => toListQuery('asked-questions', read(search), q)
const newest = { ...findDefaultFilter({}), sort: '-createdAt' }

const SHARED = 'year=2027&from=2026-11-01&to=2026-11-20&sort=name'
const november = { from: '2026-11-01', to: '2026-11-20' }
const shared = { school: ['norra', 'sodra'], status: ['new'], year: [2027], ...november, q: 'åsa', sort: 'name' }
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
  ['one’s own id is one’s own leads', listAssignees(read('?assignee=me&assignee=s&assignee=k'), 's'), ['me', 'k']],
  ['only 1 is yes', [questions('?fresh=1').fresh, questions('?fresh=yes').fresh], [true, undefined]],
])('in an address %s', (_, query, expected) => expect(query).toEqual(expected))

const filterOf = (search: string, q = '') => omitSort(questions(search, q))

test.each([
  ['', { earlier: false, snoozed: false }],
  ['?earlier=1', { earlier: true, snoozed: false }],
  ['?snoozed=1', { snoozed: true }],
  ['?earlier=all&snoozed=all', {}],
  ['?waiting=1', { waiting: true }],
  ['?late=1', { late: true }],
  ['?followUp=1', { followUp: true }],
  ['?answered=0', { answered: false, earlier: false, snoozed: false }],
])('what a screen leaves out by itself follows from %j', (search, filter) => expect(filterOf(search)).toEqual(filter))

test.each([
  [false, ['', '?earlier=all', '?earlier=0&q=', '?school=norra']],
  [true, ['?earlier=1', '?snoozed=1', '?waiting=1', '?status=new', '?school=norra&mode=phone']],
])('it counts as a filter (%s): %j', (is, searches) => {
  for (const search of searches) expect(isNarrowed(filterOf(search)), search).toBe(is)
})

test('any query is written into an address that is read as the same query', () => {
  const flags = Object.fromEntries(WORK_FLAGS.map((name) => [name, fc.boolean()]))
  fc.assert(
    fc.property(fc.record(flags, { requiredKeys: [] }), fc.constantFrom('', 'åsa'), (chosen: LeadFilter, q) => {
      const filter = { ...chosen, ...(q !== '' && { q }) }
      expect(filterOf(toQueryString(toFlagParams(filter)), q)).toEqual(filter)
    }),
  )
})

test.each([
  [false, ['', '?school=norra&sort=name', '?waiting=1']],
  [true, ['?waiting=0', '?status=new', '?snoozed=all', '?assignee=me', '?late=1&waiting=1', '?mode=phone']],
])('there are chips (%s) for %j', (are, searches) => {
  for (const search of searches) expect(hasAnyFilter(read(search)), search).toBe(are)
})

test('a queue says schools, topics and kind; what a list knows is no matter of it', () => {
  const queue = (search: string) => toListQuery('waiting', read(search), '  åsa ')
  const both = { school: ['a', 'b'], q: 'åsa' }
  expect(queue('school=b&school=a&school=b&status=new&sort=name&lead=x&kind=other')).toEqual(both)
  expect(queue('school=a&school=b&kind=asked-question')).toEqual({ ...both, kind: 'asked-question' })
})

const states = (search: string) => findFilterStates(questions(search))
const after = (search: string, change: FilterChange) => {
  const params = Object.entries({ ...read(search), ...change })
  return params.flatMap(([name, value]) => toParamValues(value).map((text) => `${name}=${text}`)).join('&')
}

test.each([
  ['?late=1&sort=waiting', ['late']],
  ['?assignee=me&status=new&status=in-progress&snoozed=0&earlier=0', []],
  ['?fresh=1&status=new&earlier=0&snoozed=0', ['fresh']],
  ['?waiting=0&followUp=0&answered=1', ['answered', 'notWaiting', 'noFollowUp']],
  ['?earlier=all&snoozed=all', ['withSnoozed', 'withEarlier']],
  ['?waiting=1&late=1&fresh=1', ['late', 'fresh']],
])('the filter of status names everything that %j sets besides the switch', (search, names) =>
  expect(states(search)).toEqual(names),
)

test('every flag of an address has a name in it, or is the switch', () => {
  const all = WORK_FLAGS.flatMap((name) => (['1', '0', 'all'] as const).map((value) => ({ name, value })))
  const known = all.filter(({ name, value }) => read(`?${name}=${value}`)[name] === value)
  const unnamed = known.filter(({ name, value }) => states(`?${name}=${value}`).length !== 1)
  // The list leaves out by itself what is earlier or put aside.
  expect(unnamed.map(({ name, value }) => `${name}=${value}`)).toEqual(['waiting=1', 'snoozed=0', 'earlier=0'])
})

test('the filter of status chooses one state at a time, and statuses together', () => {
  const choose = (search: string, choice: StatusChoice, isOn = true) =>
    after(search, toggleStatusChoice(read(search), choice, isOn))
  expect(choose('?status=new', 'in-progress')).toBe('status=new&status=in-progress')
  expect(choose('?answered=1&fresh=1', 'followUp')).toBe('fresh=1&followUp=1')
  expect(choose('?waiting=1', 'late')).toBe('waiting=1&late=1')
  expect(choose('?late=1', 'late', false)).toBe('waiting=1')
  for (const choice of ['handled', 'snoozed', 'earlier', 'answered'] as const)
    expect(choose('?waiting=1', choice), choice).not.toContain('waiting')
})

test('the switch shows what waits, or everything, and never a list that must be empty', () => {
  const turn = (search: string, isOn: boolean) => after(search, setToDo(read(search), isOn))
  const searches = ['', '?waiting=1', '?late=1', '?waiting=0']
  expect(searches.filter((search) => isToDo(read(search)))).toEqual(['?waiting=1', '?late=1'])
  const answered = '?assignee=me&status=new&status=handled&snoozed=1&answered=1'
  expect(turn(answered, true)).toBe('status=new&assignee=me&waiting=1')
  expect(turn('?late=1&mode=phone', false)).toBe('mode=phone')
})

test('a preset is the last days up to today, and known again; a period of one’s own is none', () => {
  const today = '2026-01-05'
  const periods = (['today', '7-days', '30-days'] as const).map((preset) => toPeriod(preset, today))
  expect(periods.map(({ from }) => from)).toEqual(['2026-01-05', '2025-12-30', '2025-12-07'])
  expect(periods.map((period) => findPreset(period, today))).toEqual(['today', '7-days', '30-days'])
  expect([today, null].map((to) => findPreset({ from: to && '2025-12-30', to }, today))).toEqual([null, null])
})

test('a saved view is a link to its list with its filters, but never with what it searches for', () => {
  const view = { year: [2026, 2027], fresh: true, q: 'åsa öberg' }
  expect(toViewHref('declarations-of-interest', view)).toBe('/declarations?fresh=1&year=2026&year=2027')
  expect(toViewHref('asked-questions', findDefaultFilter({}))).toBe('/questions')
  const withAll = toViewHref('asked-questions', {})
  expect(withAll, 'with what the screen leaves out by itself').toBe('/questions?earlier=all&snoozed=all')
  expect(toViewHref('asked-questions', { ...findDefaultFilter({}), sort: 'school' })).toBe('/questions?sort=school')
  expect(toViewHref('asked-questions', { q: 'åsa', sort: '-createdAt' })).toBe('/questions?sort=-createdAt')
})

test('a saved view is the list on screen when both ask for the same, whatever the order and spelling', () => {
  const shown = { status: ['new' as const], school: ['a', 'b'], q: 'åsa' }
  expect(isSameQuery({ school: ['b', 'a'], status: ['new'], q: ' åsa ', year: [] }, shown)).toBe(true)
  expect(isSameQuery({ ...shown, school: ['a'] }, shown)).toBe(false)
  expect(isSameQuery({ ...shown, q: undefined }, shown)).toBe(false)
  expect(isSameQuery({ sort: '-createdAt' }, {})).toBe(true)
  expect(isSameQuery({ sort: '-createdAt', q: 'åsa' }, { q: 'åsa' }), 'best matches first is another order').toBe(false)
})
