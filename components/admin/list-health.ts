import type { Status } from '@/lib/contract/feed-status'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'

/** The kinds of health are in order, from the worst to the best. */
const HEALTHS = ['failing', 'heldBack', 'waiting', 'setAside', 'healthy'] as const
export type Health = (typeof HEALTHS)[number]

type ListStates = Pick<Status, 'lists' | 'problems'>

/** Returns the health of the worst list, with the number of such lists or, for records set aside, of the records. */
export function findWorstHealth(status: ListStates): { health: Health; count: number } {
  const healths = FEED_LISTS.map((list) => findListHealth(status, list))
  const health = HEALTHS.find((item) => healths.includes(item)) ?? 'healthy'
  const unreadableCount = FEED_LISTS.reduce((sum, list) => sum + (status.lists[list]?.unreadable ?? 0), 0)
  return { health, count: health === 'setAside' ? unreadableCount : healths.filter((item) => item === health).length }
}

export function findListHealth({ lists, problems }: ListStates, list: FeedList): Health {
  const problem = problems.find((item) => item.list === list)
  if (problem) return problem.isHeldBack ? 'heldBack' : 'failing'
  const snapshot = lists[list]
  if (snapshot === null) return 'waiting'
  return snapshot.unreadable > 0 ? 'setAside' : 'healthy'
}
