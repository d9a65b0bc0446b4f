/** A clock (ms since the epoch) that stands still until `step` makes it jump to the next task that is due. */
export function createVirtualTime(startMs: number) {
  let now = startMs
  // The queue is sorted only when a task runs after new ones came, because most are known in advance.
  let queue: { moment: number; run: () => void; isCancelled: boolean }[] = []
  let isSorted = true
  function scheduleAt(moment: number, run: () => void): () => void {
    const task = { moment, run, isCancelled: false }
    queue.push(task)
    isSorted = false
    return () => void (task.isCancelled = true)
  }
  return {
    now: () => now,
    scheduleAt,
    scheduleAfter: (delayMs: number, run: () => void) => scheduleAt(now + delayMs, run),
    /** Returns false when no task is left. */
    step(): boolean {
      if (!isSorted) queue = queue.filter(({ isCancelled }) => !isCancelled).sort((a, b) => b.moment - a.moment)
      isSorted = true
      const next = queue.pop()
      if (next === undefined) return false
      now = Math.max(now, next.moment)
      if (!next.isCancelled) next.run()
      return true
    },
  }
}
