import 'server-only'

/** What is done in one transaction without asking how long it takes. */
export const FIRST_PART = 250
const MOST_AT_ONCE = 2_000
const PART_MS = 30

/**
 * How many leads the next transaction of a long change takes: as many as the last one shows to take 30 ms, because PGlite
 * computes in this very process, and because whoever decides about a single lead waits for the lock meanwhile.
 */
export function createPartSize(now: () => number = () => performance.now()) {
  let size = FIRST_PART
  return {
    next: () => size,
    /** Does a part of `count` leads and learns from it; never more than twice as much at once. */
    async timed<T>(count: number, work: () => Promise<T>): Promise<T> {
      const start = now()
      const result = await work()
      const fits = (count * PART_MS) / Math.max(1, now() - start)
      size = Math.round(Math.max(FIRST_PART, Math.min(MOST_AT_ONCE, 2 * size, fits)))
      return result
    },
  }
}
