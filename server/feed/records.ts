import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { tryReadId, type LeadFormat } from './service-records'
import { findValueEnd, parseValue, readJsonList } from './json-list'
import {
  createColumnBuilder,
  createDictionaryColumn,
  createNumberColumn,
  type LeadColumns,
  type TextColumn,
} from './lead-columns'

/** In the order sent: where each record's bytes are, its columns, and why it is set aside. */
export type Records = {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly columns: LeadColumns
  readonly faults: TextColumn
}

type Previous = { readonly body: Buffer; readonly records: Records; readonly findPosition: (id: string) => number }

/** Takes over stretches that are unchanged since the previous body, and reads the rest. */
export function* readRecords<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: Previous | null) {
  const start = () => createReader(format, body, previous)
  let reader = start()
  yield* readJsonList(body, format.field, () => (reader = start()).read)
  yield
  return reader.finish()
}

/** After a fresh record with a known id it continues after that one of the previous body. */
function createReader<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: Previous | null) {
  const base = previous?.records
  const starts = createNumberColumn<Uint32Array>(Uint32Array, base?.starts)
  const ends = createNumberColumn<Uint32Array>(Uint32Array, base?.ends)
  const faults = createDictionaryColumn(base?.faults)
  const columns = createColumnBuilder(base?.columns)
  const parsedPositions: number[] = []
  const isReused = new Uint8Array(base?.starts.length ?? 0)
  let size = 0
  let expected = 0

  /** Reads the record at `at`, or takes over any number of unchanged ones; answers where the last one ends. */
  function read(offset: number): number {
    const count = previous === null ? 0 : countUnchanged(previous, expected, body, offset)
    if (count > 0) {
      const until = expected + count
      const shift = offset - (base?.starts[expected] ?? 0)
      starts.copyFromBase(expected, until, shift)
      ends.copyFromBase(expected, until, shift)
      faults.copyFromBase(expected, until)
      columns.copyFromBase(expected, until)
      isReused.fill(1, expected, until)
      size += count
      expected = until
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
    if (position !== -1) expected = position + 1
    return end
  }

  return {
    read,
    /** `fresh`: positions that were read. `reused`: 1 for positions of the previous body that were taken over. */
    finish: () => ({
      records: { starts: starts.finish(), ends: ends.finish(), faults: faults.finish(), columns: columns.finish() },
      parsedPositions: parsedPositions,
      isReused: isReused,
    }),
  }
}

/** Bytes compared at once: a pause can come in between. */
const MAX_LOOK_AHEAD = 1 << 20

/** Compares one byte beyond the last record too: 12 does not begin 123. */
function countUnchanged(earlier: Previous, first: number, body: Buffer, offset: number): number {
  const { starts, ends } = earlier.records
  const from = starts[first]
  const firstEnd = ends[first]
  if (from === undefined || firstEnd === undefined) return 0
  if (!isSame(earlier.body, from, body, offset, firstEnd + 1 - from)) return 0
  const limit = from + commonLength(earlier.body, from, body, offset)
  let low = first
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low - first
}

function isSame(earlier: Buffer, from: number, body: Buffer, offset: number, length: number): boolean {
  if (from + length > earlier.length || offset + length > body.length) return false
  return earlier.compare(body, offset, offset + length, from, from + length) === 0
}

function commonLength(earlier: Buffer, from: number, body: Buffer, offset: number): number {
  let unsure = Math.min(MAX_LOOK_AHEAD, earlier.length - from, body.length - offset)
  if (isSame(earlier, from, body, offset, unsure)) return unsure
  let same = 0
  while (unsure > 1) {
    const half = unsure >>> 1
    if (isSame(earlier, from + same, body, offset + same, half)) {
      same += half
      unsure -= half
    } else unsure = half
  }
  return same
}
