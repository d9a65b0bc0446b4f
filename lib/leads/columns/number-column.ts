type Numbers = Float64Array | Int32Array | Uint32Array

/** A typed array that grows; `finish` gives it in its exact length. */
export type NumberColumn<T extends Numbers> = {
  push: (value: number) => void
  /** Appends `from[start..end)`, each increased by `shift`. */
  append: (from: T, start: number, end: number, shift?: number) => void
  finish: () => T
}

export function createNumberColumn<T extends Numbers>(
  allocate: (length: number) => T,
  capacity: number,
): NumberColumn<T> {
  let values = allocate(Math.max(capacity, 16))
  let cells: Numbers = values
  let size = 0

  function reserve(length: number): void {
    if (length <= values.length) return
    const larger = allocate(Math.max(length, values.length * 2))
    larger.set(values)
    values = larger
    cells = larger
  }

  return {
    push: (value) => {
      if (size === cells.length) reserve(size + 1)
      cells[size++] = value
    },
    append: (from, start, end, shift = 0) => {
      const until = size + end - start
      reserve(until)
      cells.set(from.subarray(start, end), size)
      if (shift !== 0) for (let at = size; at < until; at++) cells[at] = (cells[at] ?? 0) + shift
      size = until
    },
    finish: () => {
      const exact = allocate(size)
      exact.set(values.subarray(0, size))
      return exact
    },
  }
}
