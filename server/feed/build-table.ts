import 'server-only'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { hashId, type LeadColumns, NO_TEXT } from './lead-columns'
import type { Pausable } from './pausable'

type TableParts<L extends Lead> = {
  kind: LeadKind
  columns: LeadColumns
  /** Not `NO_TEXT` for positions that are no leads; null when all are. */
  faults: Uint32Array | null
  /** Throws a RangeError where there is none. */
  leadAt: (position: number) => L
}

/** A record whose id occurred before, at `first`. */
export type Repeat = { position: number; first: number }

type BuiltTable<L extends Lead> = {
  table: LeadTable<L>
  /** The position in the columns of the lead with this id, or -1. */
  positionOf: (id: string) => number
  /** They are not in the table. */
  repeats: readonly Repeat[]
}

/** Makes a table of columns: canonical order, each id once. Columns that are so already are shared, not copied. */
export function* buildTable<L extends Lead>({ kind, columns, faults, leadAt }: TableParts<L>): Pausable<BuiltTable<L>> {
  const repeats: Repeat[] = []
  const index = yield* indexIds(columns.id, columns.idHash, faults, (position, first) =>
    repeats.push({ position, first }),
  )
  const positions = leadPositions(columns.id.length, faults, repeats)
  yield
  const isInOrder = isCanonical(columns, positions)
  if (!isInOrder) yield* sortCanonically(columns, positions)
  yield
  const isWhole = isInOrder && positions.length === columns.id.length
  const shown = isWhole ? columns : yield* gathered(columns, positions)
  const order = isWhole ? null : { positions, rows: rowsByPosition(columns.id.length, positions) }
  return { table: { kind, ...tableColumns(shown), ...access(index, order, leadAt) }, positionOf: index.find, repeats }
}

/** Rows that are not where their columns came from. */
type Order = { positions: Uint32Array; rows: Int32Array }

function access<L extends Lead>(index: IdIndex, order: Order | null, leadAt: (position: number) => L) {
  if (order === null) return { lead: leadAt, rowOf: index.find }
  return {
    lead: (row: number): L => leadAt(order.positions[row] ?? -1),
    rowOf: (id: string): number => {
      const position = index.find(id)
      return position === -1 ? -1 : (order.rows[position] ?? -1)
    },
  }
}

function leadPositions(
  size: number,
  faults: Uint32Array | null,
  repeats: readonly { position: number }[],
): Uint32Array {
  const isRepeat = new Uint8Array(repeats.length === 0 ? 0 : size)
  for (const { position } of repeats) isRepeat[position] = 1
  const positions = new Uint32Array(size)
  let count = 0
  for (let position = 0; position < size; position++) {
    if (isRepeat[position] !== 1 && (faults === null || faults[position] === NO_TEXT)) positions[count++] = position
  }
  return count === size ? positions : positions.slice(0, count)
}

function rowsByPosition(size: number, positions: Uint32Array): Int32Array {
  const rows = new Int32Array(size).fill(-1)
  for (let row = 0; row < positions.length; row++) rows[positions[row] ?? 0] = row
  return rows
}

function* gathered(columns: LeadColumns, positions: Uint32Array): Pausable<LeadColumns> {
  const size = positions.length
  const createdAt = gatheredNumbers(columns.createdAt, positions, new Float64Array(size))
  const year = gatheredNumbers(columns.year, positions, new Int32Array(size))
  const idHash = gatheredNumbers(columns.idHash, positions, new Uint32Array(size))
  const emailKey = gatheredNumbers(columns.emailKey, positions, new Float64Array(size))
  const phoneKey = gatheredNumbers(columns.phoneKey, positions, new Float64Array(size))
  yield
  const schools = gatheredNumbers(columns.school.indexes, positions, new Uint32Array(size))
  const modes = gatheredNumbers(columns.mode.indexes, positions, new Uint32Array(size))
  const school = { texts: columns.school.texts, indexes: schools }
  const mode = { texts: columns.mode.texts, indexes: modes }
  yield
  const id = gatheredTexts(columns.id, positions)
  const text = gatheredNumbers(columns.text, positions, new Uint32Array(size))
  yield
  const sortName = gatheredTexts(columns.sortName, positions)
  return { createdAt, id, idHash, school, year, mode, emailKey, phoneKey, text, texts: columns.texts, sortName }
}

function gatheredNumbers<T extends Float64Array | Int32Array | Uint32Array>(from: T, positions: Uint32Array, to: T): T {
  const cells: Float64Array | Int32Array | Uint32Array = to
  for (let row = 0; row < positions.length; row++) cells[row] = from[positions[row] ?? 0] ?? 0
  return to
}

function gatheredTexts(column: readonly string[], positions: Uint32Array): string[] {
  const texts: string[] = []
  for (let row = 0; row < positions.length; row++) texts.push(column[positions[row] ?? 0] ?? '')
  return texts
}

function tableColumns({ school, mode, idHash: _hash, ...columns }: LeadColumns) {
  const dictionaries = { school: school.indexes, schoolIds: school.texts, mode: mode.indexes, modes: mode.texts }
  return { size: columns.id.length, ...dictionaries, ...columns }
}

/** Finds the position of an id. A hash table of numbers: 100 000 entries are remade in a millisecond or two. */
type IdIndex = { find: (id: string) => number }

const ENTRIES_PER_PAUSE = 4096

/**
 * Indexes all ids but those of blank rows (whose `faults` are not `NO_TEXT`). When an id occurs again, the first position
 * stays and `onRepeat` is called. `hashes` are the ids' `hashId`.
 */
function* indexIds(
  ids: readonly string[],
  hashes: Uint32Array,
  faults: Uint32Array | null,
  onRepeat: (position: number, first: number) => void,
): Pausable<IdIndex> {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(ids.length * 1.5 + 2)))
  const mask = slots.length - 1

  /** The slot of this id, or the free one where it belongs. Slots hold position + 1; 0 is free. */
  function slotOf(id: string, hash: number): number {
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const position = (slots[slot] ?? 0) - 1
      if (position === -1 || (hashes[position] === hash && ids[position] === id)) return slot
    }
  }

  for (let position = 0; position < ids.length; position++) {
    if (position % ENTRIES_PER_PAUSE === 0) yield
    if (faults !== null && faults[position] !== NO_TEXT) continue
    const slot = slotOf(ids[position] ?? '', hashes[position] ?? 0)
    const first = (slots[slot] ?? 0) - 1
    if (first === -1) slots[slot] = position + 1
    else onRepeat(position, first)
  }
  return { find: (id) => (slots[slotOf(id, hashId(id))] ?? 0) - 1 }
}

/** What leads are ordered by: newest first, equal moments by id (code units, ascending). */
type Keys = { readonly createdAt: Float64Array; readonly id: readonly string[] }

const RUN = 32
const RUNS_PER_PAUSE = 64
const MERGED_PER_PAUSE = 8192

/**
 * Sorts positions into canonical order, in place. A merge sort that leaves alone what is in order already: the service
 * sends newest first, so usually this only looks.
 */
function* sortCanonically(keys: Keys, positions: Uint32Array): Pausable<void> {
  for (let from = 0, runs = 0; from < positions.length; from += RUN, runs++) {
    if (runs % RUNS_PER_PAUSE === 0) yield
    insertionSort(keys, positions, from, Math.min(from + RUN, positions.length))
  }
  const scratch = new Uint32Array(positions.length)
  let merged = 0
  for (let width = RUN; width < positions.length; width *= 2) {
    for (let from = 0; from + width < positions.length; from += 2 * width) {
      const middle = from + width
      merged += merge(keys, positions, scratch, from, middle, Math.min(middle + width, positions.length))
      if (merged < MERGED_PER_PAUSE) continue
      merged = 0
      yield
    }
  }
}

function isCanonical(keys: Keys, positions: Uint32Array): boolean {
  for (let at = 1; at < positions.length; at++) {
    if (comesBefore(keys, positions[at] ?? 0, positions[at - 1] ?? 0)) return false
  }
  return true
}

function comesBefore(keys: Keys, a: number, b: number): boolean {
  const momentA = keys.createdAt[a] ?? 0
  const momentB = keys.createdAt[b] ?? 0
  if (momentA !== momentB) return momentA > momentB
  return (keys.id[a] ?? '') < (keys.id[b] ?? '')
}

function insertionSort(keys: Keys, positions: Uint32Array, from: number, until: number): void {
  for (let at = from + 1; at < until; at++) {
    const position = positions[at] ?? 0
    let hole = at
    while (hole > from && comesBefore(keys, position, positions[hole - 1] ?? 0)) {
      positions[hole] = positions[hole - 1] ?? 0
      hole--
    }
    positions[hole] = position
  }
}

/** Merges two sorted neighbours; answers how many elements it had to move. */
function merge(
  keys: Keys,
  positions: Uint32Array,
  scratch: Uint32Array,
  from: number,
  middle: number,
  until: number,
): number {
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
