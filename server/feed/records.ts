import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { createDictionaryColumn, createNumberColumn, type DictionaryColumn } from './columns'
import { findValueEnd, parseValue, readJsonList } from './json-list'
import { createColumnBuilder, type LeadColumns } from './lead-columns'
import { type LeadFormat, tryReadId } from './service-records'

/** The records in the order sent: where the bytes of each are, its columns, and why it is set aside. */
export type Records = {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly columns: LeadColumns
  readonly faults: DictionaryColumn
}

type PreviousBody = { readonly body: Buffer; readonly records: Records; readonly findPosition: (id: string) => number }

/** Parses the records of a body. Stretches that are the same bytes as in the previous body are copied from its columns. */
export function* readRecords<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: PreviousBody | null) {
  let reader = createReader(format, body, previous)
  yield* readJsonList(body, format.field, () => (reader = createReader(format, body, previous)).read)
  yield
  return reader.finish()
}

/** After a parsed record that the previous body had, too, it expects the one that followed there. */
function createReader<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: PreviousBody | null) {
  const base = previous?.records
  const starts = createNumberColumn<Uint32Array>(Uint32Array, base?.starts)
  const ends = createNumberColumn<Uint32Array>(Uint32Array, base?.ends)
  const faults = createDictionaryColumn(base?.faults)
  const columns = createColumnBuilder(base?.columns)
  const parsedPositions: number[] = []
  const isReused = new Uint8Array(base?.starts.length ?? 0)
  let size = 0
  let expectedPosition = 0

  /** Parses the record at `offset`, or copies any number of unchanged ones. Returns where the last one ends. */
  function read(offset: number): number {
    const count = previous === null ? 0 : countUnchanged(previous, expectedPosition, body, offset)
    if (count > 0) {
      const until = expectedPosition + count
      const shift = offset - (base?.starts[expectedPosition] ?? 0)
      starts.copyFromBase(expectedPosition, until, shift)
      ends.copyFromBase(expectedPosition, until, shift)
      faults.copyFromBase(expectedPosition, until)
      columns.copyFromBase(expectedPosition, until)
      isReused.fill(1, expectedPosition, until)
      size += count
      expectedPosition = until
      return (base?.ends[until - 1] ?? 0) + shift
    }
    const end = findValueEnd(body, offset)
    const json = parseValue(body, offset, end)
    const reading = format.read(json)
    starts.push(offset)
    ends.push(end)
    faults.push(reading.ok ? null : reading.reason)
    if (reading.ok) columns.add(reading.value)
    else columns.addBlank(tryReadId(json) ?? '')
    parsedPositions.push(size++)
    const position = reading.ok ? (previous?.findPosition(reading.value.id) ?? -1) : -1
    if (position !== -1) expectedPosition = position + 1
    return end
  }

  return {
    read,
    /** `isReused` is 1 at the positions of the previous body that were copied. */
    finish: () => ({
      records: { starts: starts.finish(), ends: ends.finish(), faults: faults.finish(), columns: columns.finish() },
      parsedPositions,
      isReused,
    }),
  }
}

/** At most so many bytes are compared without a pause. */
const MAX_COMPARED_BYTES = 1 << 20

/** The byte after a record is compared, too, because `12` is the beginning of `123`. */
function countUnchanged(earlier: PreviousBody, first: number, body: Buffer, offset: number): number {
  const { starts, ends } = earlier.records
  const from = starts[first]
  const firstEnd = ends[first]
  if (from === undefined || firstEnd === undefined) return 0
  if (!isSameBytes(earlier.body, from, body, offset, firstEnd + 1 - from)) return 0
  const limit = from + findCommonLength(earlier.body, from, body, offset)
  let low = first
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low - first
}

function isSameBytes(earlier: Buffer, from: number, body: Buffer, offset: number, length: number): boolean {
  if (from + length > earlier.length || offset + length > body.length) return false
  return earlier.compare(body, offset, offset + length, from, from + length) === 0
}

function findCommonLength(earlier: Buffer, from: number, body: Buffer, offset: number): number {
  let untested = Math.min(MAX_COMPARED_BYTES, earlier.length - from, body.length - offset)
  if (isSameBytes(earlier, from, body, offset, untested)) return untested
  let same = 0
  while (untested > 1) {
    const half = untested >>> 1
    if (isSameBytes(earlier, from + same, body, offset + same, half)) {
      same += half
      untested -= half
    } else untested = half
  }
  return same
}
