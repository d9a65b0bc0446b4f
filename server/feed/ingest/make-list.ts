import 'server-only'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { assembleTable, type Repeat } from '@/lib/leads/columns/assemble-table'
import { NO_TEXT } from '@/lib/leads/columns/dictionary-column'
import type { Work } from '@/lib/leads/columns/work'

import { REPEATED_ID, type UnreadableRecord } from '@/server/upstream/wire/unreadable-record'
import type { IngestedList } from './ingested-list'
import { isSameLead, type LeadSource } from './lead-source'
import type { RecordStore } from './record-store'

const REPEATS_PER_PAUSE = 256

/** Makes the list of a body whose records were read. */
export function* makeList<L extends Lead>(kind: LeadKind, source: LeadSource<L>): Work<IngestedList<L>> {
  const { records, leadAt } = source
  const { columns, faults } = records
  const { table, positionOf, repeats } = yield* assembleTable({ kind, columns, faults: faults.indexes, leadAt })
  const unreadable = [...faulty(records), ...(yield* contradicting(source, repeats))]
  unreadable.sort((a, b) => a.index - b.index)
  const repeatedIds = [...new Set(repeats.map(({ position }) => columns.id[position] ?? ''))]
  return { ...source, table, unreadable, positionOf, repeatedIds }
}

function faulty({ columns, faults }: RecordStore): UnreadableRecord[] {
  if (faults.texts.length === 0) return []
  const unreadable: UnreadableRecord[] = []
  faults.indexes.forEach((fault, index) => {
    if (fault !== NO_TEXT) unreadable.push({ index, id: columns.id[index] || null, reason: faults.texts[fault] ?? '' })
  })
  return unreadable
}

/** The same lead once more is harmless; another lead under its id cannot be told apart and is set aside. */
function* contradicting<L extends Lead>(source: LeadSource<L>, repeats: readonly Repeat[]): Work<UnreadableRecord[]> {
  const unreadable: UnreadableRecord[] = []
  for (const [count, { position, first }] of repeats.entries()) {
    if (count % REPEATS_PER_PAUSE === 0) yield
    if (isSameLead(source, position, source, first)) continue
    unreadable.push({ index: position, id: source.records.columns.id[position] ?? null, reason: REPEATED_ID })
  }
  return unreadable
}
