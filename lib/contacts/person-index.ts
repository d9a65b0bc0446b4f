import { type LeadTable, workingSpace } from '@/lib/leads/lead-table'
import { NO_KEY } from './contact-key'

/** The rows that have a key, in the order of the table. Texts are to be compared, as keys can be forged. */
type RowsByKey = (key: number) => Iterable<number>

/** By column, and gone with it: who is hidden from a reader has no key in the reader's copy of the column. */
const indexes = new WeakMap<Float64Array, RowsByKey>()

export function rowsByKey(column: Float64Array): RowsByKey {
  const index = indexes.get(column) ?? createIndex(column)
  indexes.set(column, index)
  return index
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

export function rowMatcher({ emailKey, phoneKey }: LeadTable, { email, phone }: Keys): (row: number) => boolean {
  const rowsOf = (column: Float64Array, keys: ReadonlySet<number>) =>
    [...keys].flatMap((key) => [...rowsByKey(column)(key)])
  const rows = new Set([...rowsOf(emailKey, email), ...rowsOf(phoneKey, phone)])
  return (row) => rows.has(row)
}

export type RowsInReach = { table: LeadTable; rows: Uint32Array }

/**
 * The rows that have one of the keys, or share one with such a row, directly or through others. Give it only rows
 * in scope: a lead out of scope must not join two that are within.
 */
export function rowsByKeys(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const lists = tables.map(({ table, rows }) => {
    // A set of 75 000 rows would take a hundred times as long.
    const isLeft = new Uint8Array(table.size)
    for (const row of rows) isLeft[row] = 1
    return { table, isLeft, found: [] as number[] }
  })
  const seen = { emailKey: new Set([NO_KEY]), phoneKey: new Set([NO_KEY]) }
  const queue: { by: 'emailKey' | 'phoneKey'; key: number }[] = []
  const addKey = (by: 'emailKey' | 'phoneKey', key: number) => {
    if (seen[by].size < seen[by].add(key).size) queue.push({ by, key })
  }
  for (const key of anchor.email) addKey('emailKey', key)
  for (const key of anchor.phone) addKey('phoneKey', key)
  for (const { by, key } of queue) {
    for (const { table, isLeft, found } of lists) {
      for (const row of rowsByKey(table[by])(key)) {
        if (isLeft[row] !== 1) continue
        isLeft[row] = 0
        found.push(row)
        addKey('emailKey', table.emailKey[row] ?? NO_KEY)
        addKey('phoneKey', table.phoneKey[row] ?? NO_KEY)
      }
    }
  }
  return lists.map(({ found }) => Uint32Array.from(found).sort())
}

/** Union–find (Tarjan 1975): the group of each row, over all tables. Give it only rows in scope. */
export function contactGroups(
  tables: readonly { rows: ArrayLike<number>; emailKey: Float64Array; phoneKey: Float64Array }[],
): { groups: Uint32Array[]; count: number } {
  const size = tables.reduce((sum, { rows }) => sum + rows.length, 0)
  const parent = parentsOf(size)
  // `from` with a function takes many times as long.
  for (let index = 0; index < size; index++) parent[index] = index
  const emails = createFirstSeen(size, emailSpace)
  const phones = createFirstSeen(size, phoneSpace)
  let at = 0
  for (const { rows, emailKey, phoneKey } of tables) {
    for (let index = 0; index < rows.length; index++, at++) {
      const row = rows[index] ?? 0
      union(parent, at, emails(emailKey[row] ?? NO_KEY, at))
      union(parent, at, phones(phoneKey[row] ?? NO_KEY, at))
    }
  }
  const numbers = new Uint32Array(size)
  let count = 0
  for (let node = 0; node < size; node++) {
    const root = rootOf(parent, node)
    numbers[node] = root === node ? count++ : (numbers[root] ?? 0)
  }
  let start = 0
  const groups = tables.map(({ rows }) => numbers.subarray(start, (start += rows.length)))
  return { groups, count }
}

const parentsOf = workingSpace((size) => new Uint32Array(size))

function union(parent: Uint32Array, a: number, b: number): void {
  const [first, second] = [rootOf(parent, a), rootOf(parent, b)]
  if (first < second) parent[second] = first
  else parent[first] = second
}

function rootOf(parent: Uint32Array, start: number): number {
  let node = start
  while (parent[node] !== node) {
    const above = parent[parent[node] ?? node] ?? node
    parent[node] = above
    node = above
  }
  return node
}

function seenSpace() {
  return { keys: workingSpace((size) => new Float64Array(size)), places: workingSpace((size) => new Uint32Array(size)) }
}

const emailSpace = seenSpace()
const phoneSpace = seenSpace()

/** Answers where a key was seen first. A map of numbers would take ten times as long. */
function createFirstSeen(size: number, space: ReturnType<typeof seenSpace>): (key: number, at: number) => number {
  const bits = Math.max(4, Math.ceil(Math.log2(size + 1)) + 1)
  const mask = 2 ** bits - 1
  const keys = space.keys(mask + 1).fill(NO_KEY)
  const places = space.places(mask + 1)
  return (key, at) => {
    if (key === NO_KEY) return at
    let slot = (key ^ (key / 0x1_0000_0000)) & mask
    while (keys[slot] !== NO_KEY && keys[slot] !== key) slot = (slot + 1) & mask
    if (keys[slot] === key) return places[slot] ?? at
    keys[slot] = key
    places[slot] = at
    return at
  }
}
