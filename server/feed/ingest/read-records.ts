import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import type { Work } from '@/lib/leads/columns/work'
import type { LeadFormat } from '@/server/upstream/wire/lead-format'
import { idOfUnreadable } from '@/server/upstream/wire/unreadable-record'
import { commonRun } from './common-run'
import type { IngestedList } from './ingested-list'
import { BrokenBody, endOfValue, parseValue, parseValues } from './json-text'
import { createRecordStore, type RecordStore } from './record-store'
import { type ElementTaker, walkList } from './walk-list'

/** The records of a body, which of them were read anew, and which of the previous body's were taken over (1). */
export type RecordsReading = { records: RecordStore; fresh: readonly number[]; kept: Uint8Array }

type RecordsTaker = ElementTaker & { finish: () => RecordsReading }

/**
 * Reads the records of a body. Along the previous body it takes over every stretch of records that stands unchanged and
 * reads only what lies between.
 */
export function* readRecords<L extends Lead>(
  format: LeadFormat<L>,
  body: Buffer,
  previous: IngestedList<L> | null,
): Work<RecordsReading> {
  const make = () => (previous === null ? createReader(format, body) : createFollower(format, body, previous))
  let taker = make()
  const current: ElementTaker = {
    begin: () => (taker = make()),
    take: (at) => taker.take(at),
    end: () => taker.end(),
  }
  yield* walkList(body, format.field, current)
  yield
  return taker.finish()
}

const BYTES_AT_ONCE = 16_384

/** Reads every record, many at a time. */
function createReader<L extends Lead>(format: LeadFormat<L>, body: Buffer): RecordsTaker {
  const store = createRecordStore(null)
  let starts: number[] = []
  let ends: number[] = []

  function readWaiting(): void {
    const [first] = starts
    const last = ends.at(-1)
    if (first === undefined || last === undefined) return
    const values = parseValues(body, first, last)
    if (values.length !== starts.length) throw new BrokenBody(`no JSON after byte ${first}`)
    values.forEach((json, index) => addRecord(store, format, starts[index] ?? 0, ends[index] ?? 0, json))
    starts = []
    ends = []
  }

  return {
    begin: () => {},
    take: (at) => {
      const end = endOfValue(body, at)
      starts.push(at)
      ends.push(end)
      if (end - (starts[0] ?? 0) >= BYTES_AT_ONCE) readWaiting()
      return end
    },
    end: readWaiting,
    finish: () => ({ records: store.finish(), fresh: [], kept: new Uint8Array(0) }),
  }
}

/** Goes along the previous body; after a record that was read anew and whose id is known, it goes on behind that one. */
function createFollower<L extends Lead>(format: LeadFormat<L>, body: Buffer, previous: IngestedList<L>): RecordsTaker {
  const base = previous.records
  const store = createRecordStore(base)
  const fresh: number[] = []
  const kept = new Uint8Array(base.starts.length)
  let size = 0
  /** The previous record that is expected to come next. */
  let expected = 0

  function takeFresh(at: number): number {
    const end = endOfValue(body, at)
    const reading = addRecord(store, format, at, end, parseValue(body, at, end))
    const known = reading.ok ? previous.positionOf(reading.value.id) : -1
    if (known !== -1) expected = known + 1
    fresh.push(size++)
    return end
  }

  function takeOver(at: number, run: number): number {
    const shift = at - (base.starts[expected] ?? 0)
    store.append(expected, expected + run, shift)
    kept.fill(1, expected, expected + run)
    expected += run
    size += run
    return (base.ends[expected - 1] ?? 0) + shift
  }

  return {
    begin: () => {},
    take: (at) => {
      const run = commonRun(previous, expected, body, at)
      return run === 0 ? takeFresh(at) : takeOver(at, run)
    },
    end: () => {},
    finish: () => ({ records: store.finish(), fresh, kept }),
  }
}

function addRecord<L extends Lead>(
  store: ReturnType<typeof createRecordStore>,
  format: LeadFormat<L>,
  start: number,
  end: number,
  json: unknown,
) {
  const reading = format.read(json)
  store.add(start, end, reading, reading.ok ? null : idOfUnreadable(json))
  return reading
}
