import { workingSpace } from '@/lib/leads/lead-table'
import { NO_KEY } from './contact-key'

type KeyedRows = { rows: ArrayLike<number>; emailKey: Float64Array; phoneKey: Float64Array }

/**
 * Who is the same contact: leads that share an e-mail or a phone, directly or through others (union–find, Tarjan
 * 1975). Answers the group of each row, numbered over all tables. Give it only rows within reach.
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
