import type { Lead, LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isCanonical, sortCanonically } from './canonical-order'
import { NO_TEXT } from './dictionary-column'
import { type IdIndex, indexIds } from './id-index'
import type { LeadColumns } from './lead-columns'
import type { Work } from './work'

export type TableParts<L extends Lead> = {
  kind: LeadKind
  columns: LeadColumns
  /** Not `NO_TEXT` for positions that are no leads; null when all are. */
  faults: Uint32Array | null
  /** Throws a RangeError where there is none. */
  leadAt: (position: number) => L
}

export type Repeat = { position: number; first: number }

export type AssembledTable<L extends Lead> = {
  table: LeadTable<L>
  /** The position in the columns of the lead with this id, or -1. */
  positionOf: (id: string) => number
  /** Positions whose id occurred before, and where it did first; they are not in the table. */
  repeats: readonly Repeat[]
}

/** Makes a table of columns: canonical order, each id once. Columns that are so already are shared, not copied. */
export function* assembleTable<L extends Lead>({
  kind,
  columns,
  faults,
  leadAt,
}: TableParts<L>): Work<AssembledTable<L>> {
  const repeats: { position: number; first: number }[] = []
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

function* gathered(columns: LeadColumns, positions: Uint32Array): Work<LeadColumns> {
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
  yield
  const searchText = gatheredTexts(columns.searchText, positions)
  yield
  const sortName = gatheredTexts(columns.sortName, positions)
  return { createdAt, id, idHash, school, year, mode, emailKey, phoneKey, searchText, sortName }
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

function tableColumns({ school, mode, createdAt, id, year, emailKey, phoneKey, searchText, sortName }: LeadColumns) {
  const dictionaries = { school: school.indexes, schoolIds: school.texts, mode: mode.indexes, modes: mode.texts }
  return { size: id.length, createdAt, id, ...dictionaries, year, emailKey, phoneKey, searchText, sortName }
}
