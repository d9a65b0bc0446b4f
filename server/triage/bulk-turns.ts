import 'server-only'

export type BulkTurns = <Result>(run: () => Promise<Result>) => Promise<Result>

/** Runs one after the other, in the order of the calls. */
export function createBulkTurns(): BulkTurns {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run, run)
    last = turn
    return turn
  }
}
