import 'server-only'
import { NotReadyError } from './errors'

type LimitOptions = { concurrency: number; maxQueued?: number; retryAfterSeconds?: number }

/** Runs `concurrency` pieces of work at a time, in order of arrival. At most `maxQueued` wait; the next gets a `NotReadyError`. */
export function createConcurrencyLimit({ concurrency, maxQueued = Infinity, retryAfterSeconds }: LimitOptions) {
  const queue: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running < concurrency) {
      running += 1
      return
    }
    if (queue.length >= maxQueued) throw new NotReadyError('Too many requests at once', retryAfterSeconds)
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  // The place is handed over, so that a newcomer cannot take it in between.
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

/** One that fails does not stop the next. */
export const createQueue = () => createConcurrencyLimit({ concurrency: 1 })

type InFlightOptions = Record<'max' | 'maxPerKey' | 'retryAfterSeconds', number>

/** Limits how much is under way in all and for each key. Answers what frees the place; `NotReadyError` when there is none. */
export function createInFlightLimit({ max, maxPerKey, retryAfterSeconds }: InFlightOptions) {
  const counts = new Map<string, number>()
  let all = 0
  return (key: string): (() => void) => {
    const ofKey = counts.get(key) ?? 0
    if (all >= max || ofKey >= maxPerKey) throw new NotReadyError('Too many requests at once', retryAfterSeconds)
    all += 1
    counts.set(key, ofKey + 1)
    return () => {
      all -= 1
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
}
