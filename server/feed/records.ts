import type { Lead } from '@/lib/contract/lead'
import { createDictionaryColumn, createNumberColumn, type DictionaryColumn } from './columns'
import { findValueEnd, parseValue } from './json-list'
import { createColumnBuilder, type LeadColumns } from './lead-columns'
import { type LeadReader, tryReadId } from './service-records'

/** The records in the order sent: where the bytes of each are, its columns, and why it is set aside, if so. */
export type Records = {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly columns: LeadColumns
  readonly faults: DictionaryColumn
}

type PreviousBody = { readonly body: Buffer; readonly records: Records; readonly findPosition: (id: string) => number }

/** Parses the records of a body, and copies the columns of stretches that are the same bytes as in the previous one. */
export function createRecordReader<L extends Lead>(
  readLead: LeadReader<L>,
  body: Buffer,
  previous: PreviousBody | null,
) {
  const base = previous?.records
  const starts = createNumberColumn(Uint32Array, base?.starts)
  const ends = createNumberColumn(Uint32Array, base?.ends)
  const faults = createDictionaryColumn(base?.faults)
  const columns = createColumnBuilder(base?.columns)
  const parsedIds: string[] = []
  const isReused = new Uint8Array(base?.starts.length ?? 0)
  /** The position in the previous body of the record that comes next if nothing changed. */
  let expectedPosition = 0

  function copyUnchanged({ records }: PreviousBody, count: number, offset: number): number {
    const until = expectedPosition + count
    const shift = offset - (records.starts[expectedPosition] ?? 0)
    starts.copyFromBase(expectedPosition, until, shift)
    ends.copyFromBase(expectedPosition, until, shift)
    faults.copyFromBase(expectedPosition, until)
    columns.copyFromBase(expectedPosition, until)
    isReused.fill(1, expectedPosition, until)
    expectedPosition = until
    return (records.ends[until - 1] ?? 0) + shift
  }

  function parseRecord(offset: number): number {
    const end = findValueEnd(body, offset)
    const json = parseValue(body, offset, end)
    const reading = readLead(json)
    const id = reading.ok ? reading.value.id : (tryReadId(json) ?? '')
    starts.push(offset)
    ends.push(end)
    faults.push(reading.ok ? null : reading.reason)
    if (reading.ok) columns.add(reading.value)
    else columns.addBlank(id)
    parsedIds.push(id)
    const position = previous?.findPosition(id) ?? -1
    if (position !== -1) expectedPosition = position + 1
    return end
  }

  return {
    /** Parses the record at `offset`, or copies it and all unchanged ones after it. Returns where the last one ends. */
    read(offset: number): number {
      const count = previous ? countUnchanged(previous, expectedPosition, body, offset) : 0
      return previous && count > 0 ? copyUnchanged(previous, count, offset) : parseRecord(offset)
    },
    /** `isReused` is 1 at the positions of the previous body that were copied. */
    finish: () => ({
      records: { starts: starts.finish(), ends: ends.finish(), faults: faults.finish(), columns: columns.finish() },
      parsedIds,
      isReused,
    }),
  }
}

/** A comparison stops after this many bytes, because it cannot pause. */
const MAX_COMPARISON_BYTES = 1 << 20

/** Counts the records from `first` on that are the same bytes, with the byte after each, because `12` begins `123`. */
function countUnchanged(previous: PreviousBody, first: number, body: Buffer, offset: number): number {
  const { starts, ends } = previous.records
  const from = starts[first]
  const firstEnd = ends[first]
  if (from === undefined || firstEnd === undefined) return 0
  if (!isSameBytes(previous.body, from, body, offset, firstEnd + 1 - from)) return 0
  const commonEnd = from + findCommonLength(previous.body, from, body, offset)
  let low = first
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) < commonEnd) low = middle + 1
    else high = middle
  }
  return low - first
}

function isSameBytes(previous: Buffer, from: number, body: Buffer, offset: number, length: number): boolean {
  if (from + length > previous.length || offset + length > body.length) return false
  return previous.compare(body, offset, offset + length, from, from + length) === 0
}

function findCommonLength(previous: Buffer, from: number, body: Buffer, offset: number): number {
  let untestedLength = Math.min(MAX_COMPARISON_BYTES, previous.length - from, body.length - offset)
  if (isSameBytes(previous, from, body, offset, untestedLength)) return untestedLength
  let sameLength = 0
  while (untestedLength > 1) {
    const half = untestedLength >>> 1
    if (isSameBytes(previous, from + sameLength, body, offset + sameLength, half)) {
      sameLength += half
      untestedLength -= half
    } else untestedLength = half
  }
  return sameLength
}
