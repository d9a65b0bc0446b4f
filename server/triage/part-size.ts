import 'server-only'

/** What is done in one transaction without knowing how long it takes. */
export const FIRST_PART = 250
const MOST_AT_ONCE = 2_000
const PART_MS = 40
/** One part tells little: the database or the processor may just have been somebody else's. */
const PARTS_MEASURED = 4

/**
 * How many leads the next transaction of a long change takes: as many as the last ones show to take 40 ms, because PGlite
 * computes in this very process, and because whoever decides about a single lead waits for the lock meanwhile.
 */
export function createPartSize(now: () => number = () => performance.now()) {
  const last: { count: number; ms: number }[] = []
  let size = FIRST_PART
  return {
    next: () => size,
    /** Does a part of `count` leads and learns from it; never more than twice as much at once. */
    async timed<T>(count: number, work: () => Promise<T>): Promise<T> {
      const start = now()
      const result = await work()
      last.push({ count, ms: now() - start })
      if (last.length < PARTS_MEASURED) return result
      const fits = (PART_MS * sum(last.map((part) => part.count))) / Math.max(1, sum(last.map(({ ms }) => ms)))
      size = Math.round(Math.max(FIRST_PART, Math.min(MOST_AT_ONCE, 2 * size, fits)))
      last.shift()
      return result
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, number) => before + number, 0)
}
