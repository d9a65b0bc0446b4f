import 'server-only'

/** Why a request was given up; its message is ours and safe to show. */
export class TimeOutError extends Error {
  override name = 'TimeOutError'
}

export type Deadline = {
  signal: AbortSignal
  /** Restarts the clock of the present phase, or begins another. */
  expect(what: string, withinMs: number): void
  /** The result of `work`, or a rejection as soon as time is up, also when `work` does not listen to the signal. */
  orTimeOut<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/** One clock for a whole request and one for the phase it is in; whichever ends first ends the request. */
export function createDeadline(overallMs: number): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const giveUp = (what: string, ms: number) => controller.abort(new TimeOutError(`${what} within ${ms} ms`))
  const overall = setTimeout(giveUp, overallMs, 'no whole answer', overallMs)
  let phase: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  timeUp.catch(() => {})
  return {
    signal,
    expect(what, withinMs) {
      clearTimeout(phase)
      phase = setTimeout(giveUp, withinMs, what, withinMs)
    },
    orTimeOut: (work) => Promise.race([work, timeUp]),
    stop() {
      clearTimeout(overall)
      clearTimeout(phase)
    },
  }
}

/** The result of `work`, or a rejection when it takes longer than `timeoutMs`. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
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
