import 'server-only'

/** What a list then has for a problem. */
type Slow = { kind: 'unavailable'; detail: string; since: number }

type SlowWatchOptions = {
  now: () => number
  /** Calls back once after `delayMs`; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
}

/**
 * Says that a fetch is slow while it lasts, since it was due, whoever sends it: an answer that hangs or drips may end
 * minutes later, or never.
 */
export function createSlowWatch({ now, schedule }: SlowWatchOptions, tell: (problem: Slow) => void) {
  let watched: { problem: Slow; cancel: () => void } | null = null
  return {
    /** `lastMs`: how long the last good fetch took. Goes on with what has begun already. */
    begin(dueAt: number | null, lastMs: number): void {
      if (watched) return
      const since = Math.min(now(), dueAt ?? Infinity)
      const problem: Slow = { kind: 'unavailable', detail: 'the answer is slow to come', since }
      watched = { problem, cancel: schedule(slowAfterMs(lastMs), () => tell(problem)) }
    },
    /** The problem that was told, or would have been. */
    end(): Slow | null {
      const problem = watched?.problem ?? null
      watched?.cancel()
      watched = null
      return problem
    },
  }
}

const SLOW_MS = 10_000
const SLOWEST_MS = 30_000

/** Twice as long as the last good one is slow, but not ten seconds, and always half a minute. */
function slowAfterMs(lastMs: number): number {
  return Math.min(SLOWEST_MS, Math.max(SLOW_MS, 2 * lastMs))
}
