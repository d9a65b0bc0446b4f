import { expect, test } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import { FEED_LISTS } from '@/lib/contract/lists'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { findWorstHealth } from './list-health'

const at = '2026-11-20T07:00:00.000Z'
/** The condition of one list; a number counts the records that could not be read. */
type Condition = 'healthy' | 'waiting' | 'failing' | 'heldBack' | number
type Lists = readonly [questions: Condition, declarations: Condition, schools: Condition]

function statusOf(conditions: Lists): Pick<Status, 'lists' | 'problems'> {
  const lists = FEED_LISTS.map((list, index) => {
    const condition = conditions[index]
    const unreadable = typeof condition === 'number' ? condition : 0
    return [list, condition === 'waiting' ? null : { ...snapshotAt(1), unreadable }]
  })
  const problems = FEED_LISTS.flatMap((list, index) => {
    const problem = { kind: 'unavailable', since: at, list, retryAt: at } as const
    if (conditions[index] === 'heldBack') return [{ ...problem, isHeldBack: true as const }]
    return conditions[index] === 'failing' ? [problem] : []
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
