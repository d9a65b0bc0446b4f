import 'server-only'

export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/** Runs one piece of work at a time, in the order they came; one that fails does not stop the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work)
    last = done
    return done
  }
}
