import type { Work } from './work'

/** What leads are ordered by: newest first, equal moments by id (code units, ascending). */
type Keys = { readonly createdAt: Float64Array; readonly id: readonly string[] }

const RUN = 32
const RUNS_PER_PAUSE = 64
const MERGED_PER_PAUSE = 8192

/**
 * Sorts positions into canonical order, in place. A merge sort that leaves alone what is in order already: the service
 * sends newest first, so usually this only looks.
 */
export function* sortCanonically(keys: Keys, positions: Uint32Array): Work<void> {
  for (let from = 0, runs = 0; from < positions.length; from += RUN, runs++) {
    if (runs % RUNS_PER_PAUSE === 0) yield
    insertionSort(keys, positions, from, Math.min(from + RUN, positions.length))
  }
  const scratch = new Uint32Array(positions.length)
  let merged = 0
  for (let width = RUN; width < positions.length; width *= 2) {
    for (let from = 0; from + width < positions.length; from += 2 * width) {
      const middle = from + width
      merged += merge(keys, positions, scratch, from, middle, Math.min(middle + width, positions.length))
      if (merged < MERGED_PER_PAUSE) continue
      merged = 0
      yield
    }
  }
}

export function isCanonical(keys: Keys, positions: Uint32Array): boolean {
  for (let at = 1; at < positions.length; at++) {
    if (comesBefore(keys, positions[at] ?? 0, positions[at - 1] ?? 0)) return false
  }
  return true
}

function comesBefore(keys: Keys, a: number, b: number): boolean {
  const momentA = keys.createdAt[a] ?? 0
  const momentB = keys.createdAt[b] ?? 0
  if (momentA !== momentB) return momentA > momentB
  return (keys.id[a] ?? '') < (keys.id[b] ?? '')
}

function insertionSort(keys: Keys, positions: Uint32Array, from: number, until: number): void {
  for (let at = from + 1; at < until; at++) {
    const position = positions[at] ?? 0
    let hole = at
    while (hole > from && comesBefore(keys, position, positions[hole - 1] ?? 0)) {
      positions[hole] = positions[hole - 1] ?? 0
      hole--
    }
    positions[hole] = position
  }
}

/** Merges two sorted neighbours; answers how many elements it had to move. */
function merge(
  keys: Keys,
  positions: Uint32Array,
  scratch: Uint32Array,
  from: number,
  middle: number,
  until: number,
): number {
  if (!comesBefore(keys, positions[middle] ?? 0, positions[middle - 1] ?? 0)) return 1
  scratch.set(positions.subarray(from, middle), from)
  let left = from
  let right = middle
  let to = from
  while (left < middle && right < until) {
    const takesRight = comesBefore(keys, positions[right] ?? 0, scratch[left] ?? 0)
    positions[to++] = takesRight ? (positions[right++] ?? 0) : (scratch[left++] ?? 0)
  }
  positions.set(scratch.subarray(left, middle), to)
  return until - from
}
