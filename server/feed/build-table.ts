import 'server-only'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { hashId, type LeadColumns, NO_TEXT, type NumberArray, type TextColumn } from './lead-columns'
import type { Pausable } from './pausable'

export type Repeat = { position: number; firstPosition: number }

/**
 * Builds the table, newest lead first, each id once. Columns that are in this order already are shared, not copied. A record
 * is no lead where `faults` has another number than `NO_TEXT`.
 */
export function* buildTable<L extends Lead>(
  kind: LeadKind,
  columns: LeadColumns,
  faults: Uint32Array,
  parseLead: (position: number) => L,
) {
  const { idHash, ...sharedColumns } = columns
  const size = columns.id.length
  const repeats: Repeat[] = []
  const findPosition = yield* indexIds(columns.id, idHash, faults, repeats)
  const isRepeat = new Uint8Array(repeats.length === 0 ? 0 : size)
  for (const { position } of repeats) isRepeat[position] = 1
  let positions = new Uint32Array(size)
  let count = 0
  for (let position = 0; position < size; position++) {
    if (isRepeat[position] !== 1 && faults[position] === NO_TEXT) positions[count++] = position
  }
  if (count < size) positions = positions.slice(0, count)
  yield
  const isInOrder = isSorted(columns, positions)
  if (!isInOrder) yield* sortCanonically(columns, positions)
  yield
  if (isInOrder && count === size) {
    const table: LeadTable<L> = { kind, ...toTableColumns(sharedColumns), getLead: parseLead, findRow: findPosition }
    return { table, findPosition, repeats }
  }
  const gatherDictionary = ({ texts, indexes }: TextColumn) => ({ texts, indexes: gatherNumbers(indexes, positions) })
  const numbers = {
    createdAt: gatherNumbers(columns.createdAt, positions),
    year: gatherNumbers(columns.year, positions),
    emailKey: gatherNumbers(columns.emailKey, positions),
    phoneKey: gatherNumbers(columns.phoneKey, positions),
    text: gatherNumbers(columns.text, positions),
  }
  yield
  const indexes = { school: gatherDictionary(columns.school), mode: gatherDictionary(columns.mode) }
  const id = gatherTexts(columns.id, positions)
  yield
  const sortName = gatherTexts(columns.sortName, positions)
  const gathered = { ...numbers, ...indexes, id, sortName, texts: columns.texts }
  const rows = new Int32Array(size).fill(-1)
  for (let row = 0; row < positions.length; row++) rows[positions[row] ?? 0] = row
  const findRow = (leadId: string): number => {
    const position = findPosition(leadId)
    return position === -1 ? -1 : (rows[position] ?? -1)
  }
  const getLead = (row: number): L => parseLead(positions[row] ?? -1)
  const table: LeadTable<L> = { kind, ...toTableColumns(gathered), getLead, findRow }
  return { table, findPosition, repeats }
}

function gatherNumbers<T extends NumberArray>(from: T, positions: Uint32Array): T {
  const to: NumberArray = from.slice(0, positions.length)
  for (let row = 0; row < positions.length; row++) to[row] = from[positions[row] ?? 0] ?? 0
  return to as T
}

function gatherTexts(column: readonly string[], positions: Uint32Array): string[] {
  const texts: string[] = []
  for (let row = 0; row < positions.length; row++) texts.push(column[positions[row] ?? 0] ?? '')
  return texts
}

/** Leads count as first seen at their own dates until `known-leads.ts` knows better. */
function toTableColumns({ school, mode, ...columns }: Omit<LeadColumns, 'idHash'>) {
  const dictionaries = { school: school.indexes, schoolIds: school.texts, mode: mode.indexes, modes: mode.texts }
  return { size: columns.id.length, seenAt: columns.createdAt, ...dictionaries, ...columns }
}

const ENTRIES_PER_PAUSE = 4096

/**
 * Makes a look-up from id to position, by a hash table in a typed array: 100 000 ids take a millisecond or two. Records that
 * are no leads are skipped. A repeated id keeps its first position, and each further one is pushed to `repeats`.
 */
function* indexIds(
  ids: readonly string[],
  hashes: Uint32Array,
  faults: Uint32Array,
  repeats: Repeat[],
): Pausable<(id: string) => number> {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(ids.length * 1.5 + 2)))
  const mask = slots.length - 1

  function findSlot(id: string, hash: number): number {
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const position = (slots[slot] ?? 0) - 1
      if (position === -1 || (hashes[position] === hash && ids[position] === id)) return slot
    }
  }

  for (let position = 0; position < ids.length; position++) {
    if (position % ENTRIES_PER_PAUSE === 0) yield
    if (faults[position] !== NO_TEXT) continue
    const slot = findSlot(ids[position] ?? '', hashes[position] ?? 0)
    const firstPosition = (slots[slot] ?? 0) - 1
    if (firstPosition === -1) slots[slot] = position + 1
    else repeats.push({ position, firstPosition })
  }
  return (id) => (slots[findSlot(id, hashId(id))] ?? 0) - 1
}

/** Leads are sorted newest first, then by id (code units, ascending). */
type SortKeys = { readonly createdAt: Float64Array; readonly id: readonly string[] }

const RUN_LENGTH = 1_024
const MERGED_PER_PAUSE = 8192

/** A merge sort that does nothing for stretches that are in order, because the service sends newest first. */
function* sortCanonically(keys: SortKeys, positions: Uint32Array): Pausable<void> {
  for (let from = 0; from < positions.length; from += RUN_LENGTH) {
    yield
    const run = positions.subarray(from, from + RUN_LENGTH)
    if (!isSorted(keys, run)) run.sort((a, b) => (comesBefore(keys, a, b) ? -1 : 1))
  }
  const scratch = new Uint32Array(positions.length)
  let merged = 0
  for (let width = RUN_LENGTH; width < positions.length; width *= 2) {
    for (let from = 0; from + width < positions.length; from += 2 * width) {
      const middle = from + width
      merged += merge(keys, positions, scratch, from, middle, Math.min(middle + width, positions.length))
      if (merged < MERGED_PER_PAUSE) continue
      merged = 0
      yield
    }
  }
}

function isSorted(keys: SortKeys, positions: Uint32Array): boolean {
  for (let index = 1; index < positions.length; index++) {
    if (comesBefore(keys, positions[index] ?? 0, positions[index - 1] ?? 0)) return false
  }
  return true
}

function comesBefore(keys: SortKeys, a: number, b: number): boolean {
  const momentA = keys.createdAt[a] ?? 0
  const momentB = keys.createdAt[b] ?? 0
  if (momentA !== momentB) return momentA > momentB
  return (keys.id[a] ?? '') < (keys.id[b] ?? '')
}

/** Merges two sorted runs and returns how many positions it looked at; 1 when they were in order already. */
function merge(
  keys: SortKeys,
  positions: Uint32Array,
  scratch: Uint32Array,
  from: number,
  middle: number,
  until: number,
) {
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
