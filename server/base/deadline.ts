export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

export type Deadline = ReturnType<typeof createDeadline>

/** Aborts `signal` with a `TimeoutError` when the whole request, or its current phase, takes too long. */
export function createDeadline(overallMs: number) {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (failure: string, ms: number) => controller.abort(new TimeoutError(`${failure} within ${ms} ms`))
  const timeUp = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // Without a handler the rejection would end the process while nothing races the deadline.
  timeUp.catch(() => {})
  const overallTimer = setTimeout(abort, overallMs, 'no whole answer', overallMs)
  let phaseTimer: NodeJS.Timeout | undefined
  return {
    signal,
    /** `failure` says what is missing when the phase takes too long. */
    startPhase(failure: string, withinMs: number): void {
      clearTimeout(phaseTimer)
      phaseTimer = setTimeout(abort, withinMs, failure, withinMs)
    },
    /** Rejects when the time is up, even if `work` ignores the signal. */
    raceTimeout: <T>(work: Promise<T>): Promise<T> => Promise.race([work, timeUp]),
    stop(): void {
      clearTimeout(overallTimer)
      clearTimeout(phaseTimer)
    },
  }
}

/** Rejects with a `TimeoutError` when the work takes too long, and does not stop it. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = createDeadline(timeoutMs)
  try {
    return await deadline.raceTimeout(work)
  } finally {
    deadline.stop()
  }
}
