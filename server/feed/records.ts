import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { idOfUnreadable, type LeadFormat } from './service-records'
import { endOfValue, parseValue, readJsonList } from './json-list'
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

type Previous = { readonly body: Buffer; readonly records: Records; readonly positionOf: (id: string) => number }

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
  const fresh: number[] = []
  const reused = new Uint8Array(base?.starts.length ?? 0)
  let size = 0
  let expected = 0

  /** Reads the record at `at`, or takes over any number of unchanged ones; answers where the last one ends. */
  function read(at: number): number {
    const count = previous === null ? 0 : countUnchanged(previous, expected, body, at)
    if (count > 0) {
      const until = expected + count
      const shift = at - (base?.starts[expected] ?? 0)
      starts.append(expected, until, shift)
      ends.append(expected, until, shift)
      faults.append(expected, until)
      columns.append(expected, until)
      reused.fill(1, expected, until)
      size += count
      expected = until
      return (base?.ends[until - 1] ?? 0) + shift
    }
    const end = endOfValue(body, at)
    const json = parseValue(body, at, end)
    const reading = format.read(json)
    starts.push(at)
    ends.push(end)
    faults.push(reading.ok ? null : reading.reason)
    if (reading.ok) columns.add(reading.value)
    else columns.addBlank(idOfUnreadable(json) ?? '')
    fresh.push(size++)
    const position = reading.ok ? (previous?.positionOf(reading.value.id) ?? -1) : -1
    if (position !== -1) expected = position + 1
    return end
  }

  return {
    read,
    /** `fresh`: positions that were read. `reused`: 1 for positions of the previous body that were taken over. */
    finish: () => ({
      records: { starts: starts.finish(), ends: ends.finish(), faults: faults.finish(), columns: columns.finish() },
      fresh,
      reused,
    }),
  }
}

/** Bytes compared at once: a pause can come in between. */
const MAX_LOOK_AHEAD = 1 << 20

/** Compares one byte beyond the last record too: 12 does not begin 123. */
function countUnchanged(earlier: Previous, first: number, body: Buffer, at: number): number {
  const { starts, ends } = earlier.records
  const from = starts[first]
  const firstEnd = ends[first]
  if (from === undefined || firstEnd === undefined) return 0
  if (!isSame(earlier.body, from, body, at, firstEnd + 1 - from)) return 0
  const limit = from + commonLength(earlier.body, from, body, at)
  let low = first
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low - first
}

function isSame(earlier: Buffer, from: number, body: Buffer, at: number, length: number): boolean {
  if (from + length > earlier.length || at + length > body.length) return false
  return earlier.compare(body, at, at + length, from, from + length) === 0
}

function commonLength(earlier: Buffer, from: number, body: Buffer, at: number): number {
  let unsure = Math.min(MAX_LOOK_AHEAD, earlier.length - from, body.length - at)
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
