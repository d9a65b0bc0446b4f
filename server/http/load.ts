import 'server-only'
import { NotReadyError } from '@/server/errors'

export type Load = ReturnType<typeof createLoad>

/** One more at once would only make all of them late. What somebody decides is let in when nobody's reading is any more. */
const MOST_READS = 250
const MOST = 1_000
const LEAST_WAIT_SECONDS = 2
const WAIT_SPREAD_SECONDS = 6

/**
 * How many requests are under way. What is too many is turned away before anything is done for it, with a time to come back
 * that differs from one to the next: late, evenly, instead of never.
 */
export function createLoad(random: () => number = Math.random) {
  let underWay = 0
  let turnedAway = 0
  return {
    /** Begins a request and answers what ends it; NotReadyError when there are too many. */
    begin: (isRead: boolean): (() => void) => {
      if (underWay >= (isRead ? MOST_READS : MOST)) {
        turnedAway += 1
        throw new NotReadyError(
          'Too many requests at once',
          LEAST_WAIT_SECONDS + Math.floor(random() * WAIT_SPREAD_SECONDS),
        )
      }
      underWay += 1
      return () => {
        underWay -= 1
      }
    },
    underWay: () => underWay,
    /** Since the start. */
    turnedAway: () => turnedAway,
  }
}
