import 'server-only'
import type { Work } from '@/lib/leads/columns/work'

const SLICE_MS = 4

/** Does the work in slices of a few milliseconds, with a rest after each in which others have their turn. */
export async function runInSlices<T>(work: Work<T>, rest: () => Promise<void>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < sliceEnd) continue
    await rest()
    sliceEnd = performance.now() + SLICE_MS
  }
}
