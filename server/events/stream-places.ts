import 'server-only'
import { NotReadyError } from '@/server/errors'

export type StreamPlaces = ReturnType<typeof createStreamPlaces>

/** More tabs than anybody looks at. */
const MOST_PER_PERSON = 20
/** Each costs a few kilobytes, and a line of text at every change. */
const MOST = 10_000
const LEAST_WAIT_SECONDS = 5
const WAIT_SPREAD_SECONDS = 25

type Options = { mostPerPerson?: number; most?: number; random?: () => number }

/**
 * How many live streams are open on this instance. Of one person's, the oldest gives way to a new one: the tab that is being
 * looked at is live, and one of yesterday rests until it is looked at again. Beyond what an instance holds, the newest is
 * turned away. Another instance counts for itself.
 */
export function createStreamPlaces({
  mostPerPerson = MOST_PER_PERSON,
  most = MOST,
  random = Math.random,
}: Options = {}) {
  /** Of each person what ends their streams, the oldest first. */
  const people = new Map<string, Set<() => void>>()
  let open = 0
  return {
    /** NotReadyError, with a time to come back that differs from one to the next, when the instance has no place left. */
    requireRoom: (): void => {
      if (open < most) return
      throw new NotReadyError('Too many live streams', LEAST_WAIT_SECONDS + Math.floor(random() * WAIT_SPREAD_SECONDS))
    },
    /** Takes a place, and answers what gives it back; `giveWay` is called if the person needs it for another. */
    take: (userId: string, giveWay: () => void): (() => void) => {
      const own = people.get(userId) ?? new Set()
      people.set(userId, own)
      const [oldest] = own.size >= mostPerPerson ? own : []
      const place = () => giveWay()
      own.add(place)
      open += 1
      oldest?.()
      return () => {
        if (!own.delete(place)) return
        open -= 1
        if (own.size === 0 && people.get(userId) === own) people.delete(userId)
      }
    },
    open: (): number => open,
  }
}
