import 'server-only'

/** The work pauses at every `yield`, so that the event loop can do other work in between. */
export type Pausable<T> = Generator<undefined, T, undefined>

const SLICE_MS = 4

export async function runInSlices<T>(work: Pausable<T>, pause: () => Promise<void>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < sliceEnd) continue
    await pause()
    sliceEnd = performance.now() + SLICE_MS
  }
}
