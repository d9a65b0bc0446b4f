type Failure = { name: string; error: unknown }

/** Checks every case of a generated list within one test, and throws once with all that failed. */
export function expectEvery<T>(cases: Iterable<T>, nameOf: (one: T) => string, check: (one: T) => void): void {
  const failures: Failure[] = []
  let count = 0
  for (const one of cases) {
    count += 1
    try {
      check(one)
    } catch (error) {
      failures.push({ name: nameOf(one), error })
    }
  }
  report(failures, count)
}

export async function expectEveryAsync<T>(
  cases: Iterable<T>,
  nameOf: (one: T) => string,
  check: (one: T) => Promise<void>,
): Promise<void> {
  const failures: Failure[] = []
  let count = 0
  for (const one of cases) {
    count += 1
    try {
      await check(one)
    } catch (error) {
      failures.push({ name: nameOf(one), error })
    }
  }
  report(failures, count)
}

function report(failures: readonly Failure[], count: number): void {
  if (count === 0) throw new Error('there is no case to check')
  if (failures.length === 0) return
  const lines = failures.map(({ name, error }) => `✗ ${name}: ${messageOf(error)}`)
  throw new Error([`${failures.length} of ${count} cases failed`, ...lines].join('\n'), { cause: failures[0]?.error })
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('expected' in error && 'actual' in error)) return error.message
  return `${error.message} (expected ${shown(error.expected)}, got ${shown(error.actual)})`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/** In the full run (`TEST_FULL=true`, as in `.ci/run`) everything is tried everywhere and random tests go on for longer. */
export const isFullRun = process.env.TEST_FULL === 'true'
