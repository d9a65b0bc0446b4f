import { describe, expect, it } from 'vitest'
import { defaultFilter } from './filter-params'
import { isSameQuery, toViewQuery, viewHref } from './view-link'

describe('a saved view', () => {
  it('is a link to its list with its filters, but never with what it searches for', () => {
    const query = { year: [2026, 2027], fresh: true, q: 'åsa öberg' }
    expect(viewHref('declarations-of-interest', query)).toBe('/declarations?fresh=1&year=2026&year=2027')
    expect(viewHref('asked-questions', defaultFilter({}))).toBe('/questions')
    const withAll = viewHref('asked-questions', {})
    expect(withAll, 'with what the screen leaves out by itself').toBe('/questions?earlier=all&snoozed=all')
    expect(viewHref('asked-questions', { ...defaultFilter({}), sort: 'school' })).toBe('/questions?sort=school')
    expect(viewHref('asked-questions', { q: 'åsa', sort: '-createdAt' })).toBe('/questions?sort=-createdAt')
  })

  it('is the list on screen when both ask for the same, whatever the order and spelling', () => {
    const shown = { status: ['new' as const], school: ['a', 'b'], q: 'åsa' }
    expect(isSameQuery({ school: ['b', 'a'], status: ['new'], q: ' åsa ', year: [] }, shown)).toBe(true)
    expect(isSameQuery({ ...shown, school: ['a'] }, shown)).toBe(false)
    expect(isSameQuery({ ...shown, q: undefined }, shown)).toBe(false)
    expect(isSameQuery({ sort: '-createdAt' }, {})).toBe(true)
    const newest = { sort: '-createdAt', q: 'åsa' } as const
    expect(isSameQuery(newest, { q: 'åsa' }), 'best matches first is another order').toBe(false)
  })

  it('keeps the order only where it is not the usual one', () => {
    expect(toViewQuery({ sort: '-createdAt', year: [2027] })).toEqual({ year: [2027] })
    expect(toViewQuery({ sort: 'name' })).toEqual({ sort: 'name' })
    expect(toViewQuery({ q: 'åsa', sort: '-createdAt' })).toEqual({ q: 'åsa', sort: '-createdAt' })
  })
})
