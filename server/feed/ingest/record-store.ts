import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { createDictionaryColumn, type TextColumn } from '@/lib/leads/columns/dictionary-column'
import { createColumnBuilder, type LeadColumns } from '@/lib/leads/columns/lead-columns'
import { createNumberColumn } from '@/lib/leads/columns/number-column'
import type { Reading } from '@/server/upstream/wire/reading'

/** Every record of a body in the order sent: where its bytes are, its columns, and why it is set aside if it is. */
export type RecordStore = {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly columns: LeadColumns
  readonly faults: TextColumn
}

export type RecordStoreBuilder = {
  add: (start: number, end: number, reading: Reading<Lead>, unreadableId: string | null) => void
  /** Takes over records [first, until) of the store this one is based on, whose bytes moved by `shift`. */
  append: (first: number, until: number, shift: number) => void
  finish: () => RecordStore
}

export function createRecordStore(base: RecordStore | null): RecordStoreBuilder {
  const capacity = base === null ? 1024 : base.starts.length + 64
  const columns = createColumnBuilder(base?.columns ?? null)
  const faults = createDictionaryColumn(base?.faults ?? null, capacity)
  const starts = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)
  const ends = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)

  return {
    add: (start, end, reading, unreadableId) => {
      starts.push(start)
      ends.push(end)
      faults.push(reading.ok ? null : reading.reason)
      if (reading.ok) columns.add(reading.value)
      else columns.addBlank(unreadableId ?? '')
    },
    append: (first, until, shift) => {
      if (base === null) return
      starts.append(base.starts, first, until, shift)
      ends.append(base.ends, first, until, shift)
      faults.append(first, until)
      columns.append(first, until)
    },
    finish: () => ({
      starts: starts.finish(),
      ends: ends.finish(),
      columns: columns.finish(),
      faults: faults.finish(),
    }),
  }
}
