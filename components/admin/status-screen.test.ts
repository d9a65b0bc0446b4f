import { describe, expect, it } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { listHealth, verdict } from './status-screen'

const at = '2026-11-20T07:00:00.000Z'
const snapshot = (unreadable = 0) => ({
  fetchedAt: at,
  nextAt: at,
  stale: false,
  problem: null,
  version: 1,
  unreadable,
})
type Given = 'healthy' | 'waiting' | 'failing' | 'heldBack' | number

function statusOf(...given: [Given, Given, Given]): Pick<Status, 'lists' | 'problems'> {
  const contentOf = (one: Given) => (one === 'waiting' ? null : snapshot(typeof one === 'number' ? one : 0))
  const problem = (list: FeedList, one: Given) => ({
    ...({ kind: 'unavailable', since: at, list, retryAt: at } as const),
    ...(one === 'heldBack' && { isHeldBack: true as const }),
  })
  const [questions, declarations, schools] = given.map(contentOf)
  return {
    lists: {
      'asked-questions': questions ?? null,
      'declarations-of-interest': declarations ?? null,
      'high-schools': schools ?? null,
    },
    problems: FEED_LISTS.flatMap((list, index) => {
      const one = given[index]
      return one === 'failing' || one === 'heldBack' ? [problem(list, one)] : []
    }),
  }
}

describe('the health of a list', () => {
  it.each([
    ['failing', 'failing'],
    ['heldBack', 'heldBack'],
    ['waiting', 'waiting'],
    [1, 'setAside'],
    ['healthy', 'healthy'],
  ] as const)('%s is %s', (given, health) => {
    expect(listHealth(statusOf(given, 'healthy', 'healthy'), FEED_LISTS[0])).toBe(health)
  })

  it.each([
    [['healthy', 'healthy', 'healthy'], { health: 'healthy', count: 3 }],
    [[2, 'healthy', 5], { health: 'setAside', count: 7 }],
    [['waiting', 2, 'healthy'], { health: 'waiting', count: 1 }],
    [['failing', 'waiting', 'failing'], { health: 'failing', count: 2 }],
    [['heldBack', 'heldBack', 'failing'], { health: 'failing', count: 1 }],
  ] as const)('of all lists it is that of the worst, with its count', ([one, two, three], expected) => {
    expect(verdict(statusOf(one, two, three))).toEqual(expected)
  })
})
