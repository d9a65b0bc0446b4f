import { expect } from 'vitest'

/** Checks every case of a generated list within one test, and fails once with all that failed, or if there is none. */
export async function expectEvery<T>(
  cases: Iterable<T>,
  nameOf: (one: T) => string,
  check: (one: T) => unknown,
): Promise<void> {
  const failures: string[] = []
  const all = [...cases]
  expect(all, 'cases').not.toEqual([])
  for (const one of all)
    try {
      await check(one)
    } catch (error) {
      failures.push(`${nameOf(one)}: ${String(error)}`)
    }
  expect(failures).toEqual([])
}

/** In the full run (`TEST_FULL=true`, as in `.ci/run`) everything is tried everywhere, and random tests last longer. */
export const isFullRun = process.env.TEST_FULL === 'true'
