import type { LeadTable } from '@/lib/leads/lead-table'
import { workingSpace } from '@/lib/leads/working-space'
import { NO_KEY } from './contact-key'

/** Rows of one table: which of them, and the keys of each row (`LeadTable.emailKey`, `phoneKey`). */
type KeyedRows = { rows: ArrayLike<number>; emailKey: Float64Array; phoneKey: Float64Array }

/**
 * Who is the same contact: leads that share an e-mail or a phone, directly or through others among these rows (union–find,
 * Tarjan 1975). Answers for each table the group of each of its rows, in order; groups are numbered from 0 over all tables.
 * Give it only rows within the viewer's reach: a lead out of reach must not join two that are within.
 */
export function contactGroups(tables: readonly KeyedRows[]): { groups: Uint32Array[]; count: number } {
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
      join(parent, at, emails(emailKey[row] ?? NO_KEY, at))
      join(parent, at, phones(phoneKey[row] ?? NO_KEY, at))
    }
  }
  return numbered(parent, tables)
}

const parentsOf = workingSpace((size) => new Uint32Array(size))

function join(parent: Uint32Array, a: number, b: number): void {
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

/** Roots come before the others of their group, so one pass gives every group its number. */
function numbered(parent: Uint32Array, tables: readonly KeyedRows[]): { groups: Uint32Array[]; count: number } {
  const numbers = new Uint32Array(parent.length)
  let count = 0
  for (let node = 0; node < parent.length; node++) {
    const root = rootOf(parent, node)
    numbers[node] = root === node ? count++ : (numbers[root] ?? 0)
  }
  let start = 0
  const groups = tables.map(({ rows }) => numbers.subarray(start, (start += rows.length)))
  return { groups, count }
}

type SeenSpace = ReturnType<typeof seenSpace>

function seenSpace() {
  return {
    keys: workingSpace((size) => new Float64Array(size)),
    places: workingSpace((size) => new Uint32Array(size)),
  }
}

const emailSpace = seenSpace()
const phoneSpace = seenSpace()

/** Answers where a key was seen first, noting it if that is here; a map of numbers would take ten times as long. */
function createFirstSeen(size: number, space: SeenSpace): (key: number, at: number) => number {
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

type Keys = { email: ReadonlySet<number>; phone: ReadonlySet<number> }
export type RowsInReach = { table: LeadTable; rows: Uint32Array }

const MOST_ROUNDS = 8

/**
 * The rows of each table whose keys are among the given ones, or shared with such a row, and so on. A round looks at every row
 * once; a chain that goes on and on is left to `contactGroups`, whose cost does not grow with it.
 */
export function rowsByKeys(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const keys = { email: new Set(anchor.email), phone: new Set(anchor.phone) }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = tables.map(({ table, rows }) => rows.filter(holder(table, keys)))
    const before = keys.email.size + keys.phone.size
    found.forEach((rows, index) => {
      for (const row of rows) {
        keys.email.add(tables[index]?.table.emailKey[row] ?? NO_KEY)
        keys.phone.add(tables[index]?.table.phoneKey[row] ?? NO_KEY)
      }
    })
    keys.email.delete(NO_KEY)
    keys.phone.delete(NO_KEY)
    if (keys.email.size + keys.phone.size === before) return found
  }
  return rowsOfGroups(tables, anchor)
}

function rowsOfGroups(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const { groups } = contactGroups(
    tables.map(({ table, rows }) => ({ rows, emailKey: table.emailKey, phoneKey: table.phoneKey })),
  )
  const wanted = new Set<number>()
  tables.forEach(({ table, rows }, index) => {
    const isHolder = holder(table, anchor)
    rows.forEach((row, at) => isHolder(row) && wanted.add(groups[index]?.[at] ?? -1))
  })
  return tables.map(({ rows }, index) => rows.filter((_, at) => wanted.has(groups[index]?.[at] ?? -1)))
}

const SIEVE_BITS = 15

/** Whether a row of the table has one of the keys. Nearly all have not, and a few bits of theirs tell so at once. */
export function holder({ emailKey, phoneKey }: LeadTable, keys: Keys): (row: number) => boolean {
  const [mayBeEmail, mayBePhone] = [sieveOf(keys.email), sieveOf(keys.phone)]
  return (row) => {
    const [email, phone] = [emailKey[row] ?? NO_KEY, phoneKey[row] ?? NO_KEY]
    return (
      (mayBeEmail[lowBits(email)] === 1 && keys.email.has(email)) ||
      (mayBePhone[lowBits(phone)] === 1 && keys.phone.has(phone))
    )
  }
}

function sieveOf(keys: Iterable<number>): Uint8Array {
  const sieve = new Uint8Array(2 ** SIEVE_BITS)
  for (const key of keys) sieve[lowBits(key)] = 1
  return sieve
}

function lowBits(key: number): number {
  return key & (2 ** SIEVE_BITS - 1)
}
