import { describe, expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-query'
import { head } from '@/lib/inbox/testing/pages'
import { countsAfter, withTriage } from './show-triage'

describe('the leads on loaded pages', () => {
  test('changes the leads that are meant, and nothing else of them', () => {
    const changed = withTriage(head(1, ['a', 'b', 'c']), new Map([['b', { status: 'handled' }]]))
    expect(changed.items.map(({ triage }) => triage.status)).toEqual(['new', 'handled', 'new'])
    expect(changed.items[1]?.triage.assignee).toBeNull()
  })

  test('leaves a page without them as the very same, so that nothing renders again', () => {
    const page = head(1, ['a'])
    expect(withTriage(page, new Map([['z', { status: 'handled' }]]))).toBe(page)
  })
})

describe('the numbers beside them', () => {
  const triage = (status: Triage['status']): Triage => ({ status, assignee: null, updatedAt: null })
  const counts = (status: Record<string, number>): ListCounts => ({
    total: 50,
    school: {},
    status,
    assignee: {},
    mode: {},
    year: {},
    fresh: 0,
    freshSince: null,
  })

  test('leads move from the count of what they were to the count of what they are', () => {
    const before = [triage('new'), triage('new'), triage('in-progress')]
    const after = countsAfter(counts({ new: 41, 'in-progress': 3 }), before, { status: 'handled' })
    expect(after.status).toEqual({ new: 39, 'in-progress': 2, handled: 3 })
  })

  test('no count becomes less than none, and another assignee changes none', () => {
    expect(countsAfter(counts({}), [triage('new')], { status: 'handled' }).status).toEqual({ new: 0, handled: 1 })
    const same = counts({ new: 1 })
    expect(countsAfter(same, [triage('new')], { assignee: null })).toBe(same)
  })
})
