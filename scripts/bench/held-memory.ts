import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a value holds: on the heap, and outside of it (typed arrays), bytes. */
export type Held = { heap: number; outside: number }

/** Makes a value twice and measures the second, when all code is compiled and all else is where it stays. */
export async function heldBy(make: () => unknown): Promise<Held> {
  await make()
  const before = await settledUsage()
  const value = await make()
  const after = await settledUsage()
  return value === undefined
    ? { heap: 0, outside: 0 }
    : { heap: after.heap - before.heap, outside: after.outside - before.outside }
}

/** Resolves when nothing is left to collect. */
export async function settled(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('no garbage collection on demand')
  // Several rounds with pauses: typed arrays are given back in the background.
  for (let round = 0; round < 6; round++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

async function settledUsage(): Promise<Held> {
  await settled()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, outside: arrayBuffers }
}
