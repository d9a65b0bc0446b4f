import type { LeadTable } from '@/lib/leads/lead-table'
import { NO_KEY } from './contact-key'

/** The rows that have a key, in the order of the table. Texts are to be compared, as keys can be forged. */
export type RowsByKey = (key: number) => Iterable<number>

/** By column, and gone with it: who is hidden from a reader has no key in the reader's copy of the column. */
const indexes = new WeakMap<Float64Array, RowsByKey>()

export function rowsByKey(column: Float64Array): RowsByKey {
  const known = indexes.get(column) ?? createIndex(column)
  indexes.set(column, known)
  return known
}

const SLOTS_PER_ROW = 1.75

/** A hash table of open addresses (Knuth, TAOCP 3, 6.4) takes 11 bytes a row, a tenth of a map of numbers. */
function createIndex(column: Float64Array): RowsByKey {
  const slots = Math.ceil(column.length * SLOTS_PER_ROW) + 1
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

type Keys = { email: ReadonlySet<number>; phone: ReadonlySet<number> }

export function holder({ emailKey, phoneKey }: LeadTable, { email, phone }: Keys): (row: number) => boolean {
  const rowsOf = (column: Float64Array, keys: ReadonlySet<number>) =>
    [...keys].flatMap((key) => [...rowsByKey(column)(key)])
  const rows = new Set([...rowsOf(emailKey, email), ...rowsOf(phoneKey, phone)])
  return (row) => rows.has(row)
}

export type RowsInReach = { table: LeadTable; rows: Uint32Array }

/**
 * The rows that have one of the keys, or share one with such a row, directly or through others. Give it only rows
 * within reach: a lead out of reach must not join two that are within.
 */
export function rowsByKeys(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const lists = tables.map(({ table, rows }) => ({ table, isLeft: marked(table.size, rows), found: [] as number[] }))
  const seen = { emailKey: new Set([NO_KEY]), phoneKey: new Set([NO_KEY]) }
  const wanted: { by: 'emailKey' | 'phoneKey'; key: number }[] = []
  const want = (by: 'emailKey' | 'phoneKey', key: number) => {
    if (seen[by].size < seen[by].add(key).size) wanted.push({ by, key })
  }
  for (const key of anchor.email) want('emailKey', key)
  for (const key of anchor.phone) want('phoneKey', key)
  for (const { by, key } of wanted) {
    for (const { table, isLeft, found } of lists) {
      for (const row of rowsByKey(table[by])(key)) {
        if (isLeft[row] !== 1) continue
        isLeft[row] = 0
        found.push(row)
        want('emailKey', table.emailKey[row] ?? NO_KEY)
        want('phoneKey', table.phoneKey[row] ?? NO_KEY)
      }
    }
  }
  return lists.map(({ found }) => Uint32Array.from(found).sort())
}

/** 1 at each of these rows; a set of 75 000 would take a hundred times as long. */
function marked(size: number, rows: Uint32Array): Uint8Array {
  const marks = new Uint8Array(size)
  for (const row of rows) marks[row] = 1
  return marks
}
