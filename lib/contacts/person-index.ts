import { NO_KEY } from './contact-key'

/** The rows that have a key, in the order of the table. Texts are to be compared, as keys can be forged. */
export type RowsByKey = (key: number) => Iterable<number>

/**
 * The rows of a key column (`LeadTable.emailKey`, `phoneKey`) by their key, made once for a column: a table of open addresses
 * (Knuth, TAOCP 3, 6.4), 11 bytes a row, because a map of numbers would take ten times as much.
 */
export function rowsByKey(column: Float64Array): RowsByKey {
  const known = indexes.get(column)
  if (known !== undefined) return known
  const made = createIndex(column)
  indexes.set(column, made)
  return made
}

/** By column, and gone with it: who is hidden from a reader has no key in the reader's copy of the column. */
const indexes = new WeakMap<Float64Array, RowsByKey>()

const SLOTS_PER_ROW = 1.75

function createIndex(column: Float64Array): RowsByKey {
  const slots = Math.ceil(column.length * SLOTS_PER_ROW) + 1
  /** The first row of each key, counted from 1; and for each row the next of its key. */
  const heads = new Uint32Array(slots)
  const nexts = new Uint32Array(column.length)
  const slotOf = (key: number) => {
    let slot = Math.floor((((key ^ (key / 0x1_0000_0000)) >>> 0) / 0x1_0000_0000) * slots)
    for (let head = heads[slot]; head !== 0 && head !== undefined && column[head - 1] !== key; head = heads[slot])
      slot = slot + 1 === slots ? 0 : slot + 1
    return slot
  }
  // From the last on, so that each chain is in the order of the table.
  for (let row = column.length - 1; row >= 0; row--) {
    const key = column[row] ?? NO_KEY
    if (key === NO_KEY) continue
    const slot = slotOf(key)
    nexts[row] = heads[slot] ?? 0
    heads[slot] = row + 1
  }
  return function* (key) {
    if (key === NO_KEY) return
    for (let row = heads[slotOf(key)] ?? 0; row !== 0; row = nexts[row - 1] ?? 0) yield row - 1
  }
}
