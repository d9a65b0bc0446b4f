/** Cuts rows into chunks, so that each statement has a bounded size. */
export function* toChunks<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}
