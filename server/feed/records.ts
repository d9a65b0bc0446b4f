import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { idOfUnreadable, type LeadFormat } from './service-records'
import { BrokenBody, type ElementReader, endOfValue, parseValue, parseValues, readJsonList } from './json-list'
import {
  createColumnBuilder,
  createDictionaryColumn,
  createNumberColumn,
  finished,
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

export type RecordsReading = { records: Records; fresh: readonly number[]; reused: Uint8Array }

type Previous = { readonly body: Buffer; readonly records: Records; readonly positionOf: (id: string) => number }

/** Takes over stretches that are unchanged since the previous body, and reads the rest. */
export function* readRecords<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: Previous | null) {
  const start = () => (previous === null ? createReader(format, body) : createDiffReader(format, body, previous))
  let reader = start()
  yield* readJsonList(body, format.field, () => (reader = start()))
  yield
  return reader.finish()
}

type RecordsReader = ElementReader & { finish: () => RecordsReading }

const BYTES_AT_ONCE = 16_384

function createReader<L extends Lead>(format: LeadFormat<L>, body: Buffer): RecordsReader {
  const records = createRecordsBuilder(format, null)
  let starts: number[] = []
  let ends: number[] = []

  function readWaiting(): void {
    const [first] = starts
    const last = ends.at(-1)
    if (first === undefined || last === undefined) return
    const values = parseValues(body, first, last)
    if (values.length !== starts.length) throw new BrokenBody(`no JSON after byte ${first}`)
    values.forEach((json, index) => records.add(starts[index] ?? 0, ends[index] ?? 0, json))
    starts = []
    ends = []
  }

  return {
    read: (at) => {
      const end = endOfValue(body, at)
      starts.push(at)
      ends.push(end)
      if (end - (starts[0] ?? 0) >= BYTES_AT_ONCE) readWaiting()
      return end
    },
    end: readWaiting,
    finish: () => ({ records: records.finish(), fresh: [], reused: new Uint8Array(0) }),
  }
}

/** After a fresh record with a known id it continues after that one. */
function createDiffReader<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: Previous): RecordsReader {
  const base = previous.records
  const records = createRecordsBuilder(format, base)
  const fresh: number[] = []
  const reused = new Uint8Array(base.starts.length)
  let size = 0
  let expected = 0

  return {
    read: (at) => {
      const run = unchangedRun(previous, expected, body, at)
      if (run > 0) {
        const shift = at - (base.starts[expected] ?? 0)
        records.append(expected, expected + run, shift)
        reused.fill(1, expected, expected + run)
        expected += run
        size += run
        return (base.ends[expected - 1] ?? 0) + shift
      }
      const end = endOfValue(body, at)
      const reading = records.add(at, end, parseValue(body, at, end))
      const position = reading.ok ? previous.positionOf(reading.value.id) : -1
      if (position !== -1) expected = position + 1
      fresh.push(size++)
      return end
    },
    end: () => {},
    finish: () => ({ records: records.finish(), fresh, reused }),
  }
}

/** Bytes compared at once: a pause can come in between. */
const MAX_LOOK_AHEAD = 1 << 20

/** Compares one byte beyond the last record too: 12 does not begin 123. */
function unchangedRun(earlier: Previous, first: number, body: Buffer, at: number): number {
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

function createRecordsBuilder<L extends Lead>(format: LeadFormat<L>, base: Records | null) {
  const columns = createColumnBuilder(base?.columns)
  const places = {
    starts: createNumberColumn<Uint32Array>(Uint32Array, base?.starts),
    ends: createNumberColumn<Uint32Array>(Uint32Array, base?.ends),
    faults: createDictionaryColumn(base?.faults),
  }
  return {
    add(start: number, end: number, json: unknown) {
      const reading = format.read(json)
      places.starts.push(start)
      places.ends.push(end)
      places.faults.push(reading.ok ? null : reading.reason)
      if (reading.ok) columns.add(reading.value)
      else columns.addBlank(idOfUnreadable(json) ?? '')
      return reading
    },
    /** Takes over earlier records [first, until), whose bytes moved by `shift`. */
    append(first: number, until: number, shift: number): void {
      places.starts.append(first, until, shift)
      places.ends.append(first, until, shift)
      places.faults.append(first, until)
      columns.append(first, until)
    },
    finish: (): Records => ({ ...finished(places), columns: columns.finish() }),
  }
}
