/** Finds the first index at which `isPast` is true, or `length`. From there on it must stay true. */
export function findFirstIndex(length: number, isPast: (index: number) => boolean): number {
  let first = 0
  let end = length
  while (first < end) {
    const middle = (first + end) >>> 1
    if (isPast(middle)) end = middle
    else first = middle + 1
  }
  return first
}
