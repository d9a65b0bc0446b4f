import 'server-only'
import { NotReadyError } from './errors'

export type Turns = ReturnType<typeof createTurns>

type TurnsOptions = { atOnce: number; waiting: number; retryAfterSeconds: number }

/** So many pieces of work at a time, in the order they came; so many may wait, and the next is turned away: `NotReadyError`. */
export function createTurns({ atOnce, waiting, retryAfterSeconds }: TurnsOptions) {
  const queue: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw new NotReadyError('Too many requests at once', retryAfterSeconds)
    // Whoever leaves hands over the place, so that nobody who comes meanwhile takes it.
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** So many at once altogether and of each, so that nobody takes all of them. Answers what frees the place again. */
export function createPlaces({ most, mostOfEach, retryAfterSeconds }: Record<PlacesOption, number>) {
  const taken = new Map<string, number>()
  let all = 0
  return (whose: string): (() => void) => {
    const theirs = taken.get(whose) ?? 0
    if (all >= most || theirs >= mostOfEach) throw new NotReadyError('Too many requests at once', retryAfterSeconds)
    all += 1
    taken.set(whose, theirs + 1)
    return () => {
      all -= 1
      const left = (taken.get(whose) ?? 1) - 1
      if (left > 0) taken.set(whose, left)
      else taken.delete(whose)
    }
  }
}

type PlacesOption = 'most' | 'mostOfEach' | 'retryAfterSeconds'
