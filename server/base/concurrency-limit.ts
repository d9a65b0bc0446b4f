import { NotReadyError } from './errors'

/** Runs at most `concurrency` calls at a time, in the order of arrival. */
export function createConcurrencyLimit(concurrency: number) {
  const queue: (() => void)[] = []
  let runningCount = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (runningCount < concurrency) runningCount += 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes to the next in line, so that no newcomer takes it in between.
      const next = queue.shift()
      if (next) next()
      else runningCount -= 1
    }
  }
}

/**
 * Limits work in flight, in total and per key, without a queue: the limit returns a function that releases the slot, or
 * throws `NotReadyError`.
 */
export function createAdmissionLimit(options: { maxTotal: number; maxPerKey: number; retryAfterSeconds: number }) {
  const { maxTotal, maxPerKey, retryAfterSeconds } = options
  const counts = new Map<string, number>()
  let totalCount = 0
  return (key: string): (() => void) => {
    const count = counts.get(key) ?? 0
    if (totalCount >= maxTotal || count >= maxPerKey)
      throw new NotReadyError('Too many requests at once', retryAfterSeconds)
    totalCount += 1
    counts.set(key, count + 1)
    return () => {
      totalCount -= 1
      const remainingCount = (counts.get(key) ?? 1) - 1
      if (remainingCount > 0) counts.set(key, remainingCount)
      else counts.delete(key)
    }
  }
}
