import { expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-counts'
import { countsAfter } from './counts-after'

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
