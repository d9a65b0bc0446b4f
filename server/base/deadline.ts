export class TimeOutError extends Error {
  override name = 'TimeOutError'
}

export type Deadline = ReturnType<typeof createDeadline>

/** Aborts `signal` with a `TimeOutError` when the whole request, or its current phase, takes too long. */
export function createDeadline(overallMs: number) {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (phaseName: string, ms: number) => controller.abort(new TimeOutError(`${phaseName} within ${ms} ms`))
  const overall = setTimeout(abort, overallMs, 'no whole answer', overallMs)
  let phase: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  timeUp.catch(() => {})
  return {
    signal,
    startPhase(phaseName: string, withinMs: number): void {
      clearTimeout(phase)
      phase = setTimeout(abort, withinMs, phaseName, withinMs)
    },
    /** Rejects when the time is up, even if `work` ignores the signal. */
    raceTimeout: <T>(work: Promise<T>): Promise<T> => Promise.race([work, timeUp]),
    stop(): void {
      clearTimeout(overall)
      clearTimeout(phase)
    },
  }
}

export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
