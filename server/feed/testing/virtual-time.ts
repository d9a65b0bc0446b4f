import 'server-only'

/** A clock that stands still until `step` makes it jump to the next task that is due. It is in ms since the epoch. */
export type VirtualTime = {
  now: () => number
  scheduleAt: (moment: number, run: () => void) => () => void
  scheduleAfter: (delayMs: number, run: () => void) => () => void
  /** Returns false when nothing is due any more. */
  step: () => boolean
}

type Due = { moment: number; run: () => void; cancelled: boolean }

export function createVirtualTime(start: number): VirtualTime {
  let now = start
  // Tasks are sorted once and then inserted, because most are known in advance.
  let queue: Due[] = []
  let sorted = true
  const scheduleAt = (moment: number, run: () => void) => {
    const due: Due = { moment, run, cancelled: false }
    queue.push(due)
    sorted = false
    return () => void (due.cancelled = true)
  }
  return {
    now: () => now,
    scheduleAt,
    scheduleAfter: (delayMs, run) => scheduleAt(now + delayMs, run),
    step: () => {
      if (!sorted) queue = queue.filter(({ cancelled }) => !cancelled).sort((a, b) => b.moment - a.moment)
      sorted = true
      const next = queue.pop()
      if (next === undefined) return false
      now = Math.max(now, next.moment)
      if (!next.cancelled) next.run()
      return true
    },
  }
}
