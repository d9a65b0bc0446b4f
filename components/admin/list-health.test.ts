import { expect, test } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import { FEED_LISTS } from '@/lib/contract/lists'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { findWorstHealth } from './list-health'

/** The condition of each list; a number counts the records that could not be read. */
type Conditions = readonly ('healthy' | 'waiting' | 'failing' | 'heldBack' | number)[]

function statusOf(conditions: Conditions): Pick<Status, 'lists' | 'problems'> {
  const lists = FEED_LISTS.map((list, index) => {
    const unreadable = Number(conditions[index]) || 0
    return [list, conditions[index] === 'waiting' ? null : { ...snapshotAt(1), unreadable }]
  })
  const problem = { kind: 'unavailable', since: '', retryAt: null } as const
  const problems = FEED_LISTS.flatMap((list, index): Status['problems'] => {
    if (conditions[index] === 'heldBack') return [{ ...problem, list, isHeldBack: true }]
    return conditions[index] === 'failing' ? [{ ...problem, list }] : []
  })
  return { lists: Object.fromEntries(lists), problems }
}

test.each([
  [['healthy', 'healthy', 'healthy'], { health: 'healthy', count: 3 }],
  [[2, 'healthy', 5], { health: 'setAside', count: 7 }],
  [['waiting', 2, 'healthy'], { health: 'waiting', count: 1 }],
  [['failing', 'waiting', 'failing'], { health: 'failing', count: 2 }],
  [['heldBack', 'healthy', 'healthy'], { health: 'heldBack', count: 1 }],
  [['heldBack', 'heldBack', 'failing'], { health: 'failing', count: 1 }],
] as const)('the health of %j is that of the worst list, with its count', (conditions, expected) => {
  expect(findWorstHealth(statusOf(conditions))).toEqual(expected)
})
