import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Work that may pause at every `yield`, so that the event loop can serve requests in between. */
export type Pausable<T> = Generator<undefined, T, undefined>

const SLICE_MS = 4

export async function runInSlices<T>(work: Pausable<T>): Promise<T> {
  const pauseWhenDue = createPacer()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const pause = pauseWhenDue()
    if (pause) await pause
  }
}

/** Creates a function that returns a pause to await once a slice of time has been used, and undefined until then. */
export function createPacer(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS
  const pause = async () => {
    await yieldToEventLoop()
    sliceEnd = performance.now() + SLICE_MS
  }
  return () => (performance.now() < sliceEnd ? undefined : pause())
}
