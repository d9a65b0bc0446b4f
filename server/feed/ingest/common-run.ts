import 'server-only'
import type { RecordStore } from './record-store'

/** So far one look compares at most, bytes: a pause can come in between. */
const LONGEST_LOOK = 1 << 20

/** An earlier body with its records. */
type Earlier = { body: Buffer; records: RecordStore }

/**
 * How many of the earlier records from `first` on stand unchanged at `at` of the new body, one after the other with the
 * same bytes between and after them. The byte after the last is compared too: 12 is not the beginning of 123.
 */
export function commonRun(earlier: Earlier, first: number, body: Buffer, at: number): number {
  const { starts, ends } = earlier.records
  const from = starts[first]
  const firstEnd = ends[first]
  if (from === undefined || firstEnd === undefined) return 0
  if (!isSame(earlier.body, from, body, at, firstEnd + 1 - from)) return 0
  const length = commonLength(earlier.body, from, body, at)
  return recordsWithin(ends, first, from + length) - first
}

function isSame(earlier: Buffer, from: number, body: Buffer, at: number, length: number): boolean {
  if (from + length > earlier.length || at + length > body.length) return false
  return earlier.compare(body, at, at + length, from, from + length) === 0
}

/** By halves: what is found equal is not compared again. */
function commonLength(earlier: Buffer, from: number, body: Buffer, at: number): number {
  let unsure = Math.min(LONGEST_LOOK, earlier.length - from, body.length - at)
  if (isSame(earlier, from, body, at, unsure)) return unsure
  let same = 0
  while (unsure > 1) {
    const half = unsure >>> 1
    if (isSame(earlier, from + same, body, at + same, half)) {
      same += half
      unsure -= half
    } else unsure = half
  }
  return same
}

/** The first record from `first` on that, with the byte after it, does not end before `limit`. */
function recordsWithin(ends: Uint32Array, first: number, limit: number): number {
  let low = first
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
