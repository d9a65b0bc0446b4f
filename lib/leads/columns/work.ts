/** Work that offers to pause at every `yield`, so that a long one can be spread over many turns of the event loop. */
export type Work<T> = Generator<undefined, T, undefined>

/** Does the work without a pause. */
export function runToEnd<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
