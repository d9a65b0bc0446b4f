import type { Sort } from '@/lib/contract/list-query'
import { compareKeys } from './comparable-text'
import { type LeadTable, NO_YEAR, workingSpace } from './lead-table'
import { type TableSearch, tableSearch } from './table-search'

type Order = {
  sort?: Sort | undefined
  /** Without a `sort` the best matches of this search come first. */
  q?: string | undefined
  schoolSortKey: (highSchoolId: string) => string
  /** The order `waiting` begins with the leads that need an answer, the longest waiting first. */
  isWaiting?: ((row: number) => boolean) | undefined
}

/** The rows of a page, as row numbers of the table. Ties keep the table’s order. */
export function pageRows(
  table: LeadTable,
  rows: Uint32Array,
  page: Order & { offset: number; limit: number },
): number[] {
  const { sort, offset, limit } = page
  const search = sort === undefined ? tableSearch(table, page.q) : null
  if (search !== null) return bestMatches(rows, search, offset, offset + limit)
  if (sort === undefined || sort === '-createdAt') return [...rows.subarray(offset, offset + limit)]
  if (sort === 'createdAt') {
    const end = Math.max(0, rows.length - offset)
    return [...rows.subarray(Math.max(0, end - limit), end)].reverse()
  }
  // What a full sort would put at [offset, end), by quickselect (Hoare 1961): a page costs a few passes.
  const end = Math.min(offset + limit, rows.length)
  if (offset >= end) return []
  const ranking = rankingOf(table, rows, page)
  const copy = copyOf(rows.length)
  copy.set(rows)
  select(copy, 0, offset, ranking)
  select(copy, offset, end, ranking)
  return [...copy.subarray(offset, end).sort((a, b) => compare(ranking, a, b))]
}

const copyOf = workingSpace((size) => new Uint32Array(size))

export function placeOf(table: LeadTable, rows: Uint32Array, row: number, order: Order): number | null {
  const { sort } = order
  if (!rows.includes(row)) return null
  if (sort === undefined || sort === '-createdAt' || sort === 'createdAt')
    return pageRows(table, rows, { ...order, offset: 0, limit: rows.length }).indexOf(row)
  const ranking = rankingOf(table, rows, order)
  return rows.reduce((before, other) => (compare(ranking, other, row) < 0 ? before + 1 : before), 0)
}

const EXPECT_AFTER = 1_000

/** Matches at the beginning of words come before those inside; both are newest first. */
function bestMatches(rows: Uint32Array, search: TableSearch, from: number, until: number): number[] {
  const wordStarts: number[] = []
  const others: number[] = []
  for (let at = 0; at < rows.length && wordStarts.length < until; at++) {
    const row = rows[at] ?? 0
    if (at === EXPECT_AFTER) search.beginsWords.expect(rows.length)
    if (search.beginsWords(row)) wordStarts.push(row)
    else if (others.length < until) others.push(row)
  }
  return wordStarts.concat(others).slice(from, until)
}

type Ranking = { numbers: Float64Array; texts: readonly string[] | null }

/** Every order has this one function, so that it is inlined into the loops. */
function compare({ numbers, texts }: Ranking, a: number, b: number): number {
  const difference = (numbers[a] ?? 0) - (numbers[b] ?? 0)
  if (difference !== 0) return difference
  return (texts === null ? 0 : compareKeys(texts[a] ?? '', texts[b] ?? '')) || a - b
}

const numbersOf = workingSpace((size) => new Float64Array(size))

function rankingOf(table: LeadTable, rows: Uint32Array, order: Order): Ranking {
  if (order.sort === 'name') return { numbers: namePrefixes(table, rows), texts: table.sortName }
  const numbers = numbersOf(table.size)
  if (order.sort === 'school') {
    const keys = table.schoolIds.map((id, index) => ({ index, key: order.schoolSortKey(id), id }))
    const ranks = new Uint32Array(keys.length)
    keys
      .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
      .forEach(({ index }, rank) => (ranks[index] = rank))
    for (const row of rows) numbers[row] = ranks[table.school[row] ?? 0] ?? 0
  } else if (order.sort === 'waiting') {
    for (const row of rows)
      numbers[row] = order.isWaiting?.(row) === true ? (table.createdAt[row] ?? 0) : Number.MAX_SAFE_INTEGER
  } else {
    for (const row of rows) {
      const year = table.year[row] ?? NO_YEAR
      numbers[row] = year === NO_YEAR ? Number.MAX_SAFE_INTEGER : year
    }
  }
  return { numbers, texts: null }
}

/** The prefixes of a table’s names are kept with the table, unless the rows are so few that computing them is faster. */
const FEW = 1 / 16
const prefixesOf = new WeakMap<LeadTable, Float64Array>()
const UNKNOWN = 0

function namePrefixes(table: LeadTable, rows: Uint32Array): Float64Array {
  const cached = prefixesOf.get(table)
  if (cached === undefined && rows.length < table.size * FEW) {
    const numbers = numbersOf(table.size)
    for (const row of rows) numbers[row] = prefixOf(table.sortName[row] ?? '')
    return numbers
  }
  const prefixes = cached ?? new Float64Array(table.size)
  prefixesOf.set(table, prefixes)
  for (const row of rows) if (prefixes[row] === UNKNOWN) prefixes[row] = prefixOf(table.sortName[row] ?? '')
  return prefixes
}

const LETTERS = 6
const [FIRST_AFTER_Z, LAST_AFTER_Z] = [0xe000, 0xe002]

/** The first letters of a name as a number in the order of names: whole names are compared only where it is equal. */
function prefixOf(name: string): number {
  let prefix = 0
  let isKnown = true
  for (let at = 0; at < LETTERS; at++) {
    const code: number = isKnown && at < name.length ? name.charCodeAt(at) : 0
    const isAfterZ = code >= FIRST_AFTER_Z && code <= LAST_AFTER_Z
    // Other letters share a place on either side of å ä ö, and what follows them is ignored.
    isKnown &&= code < 128 || isAfterZ
    const others = code < FIRST_AFTER_Z ? 128 : 132
    prefix = prefix * 256 + (code < 128 ? code : isAfterZ ? code - FIRST_AFTER_Z + 129 : others)
  }
  return prefix
}

function select(rows: Uint32Array, low: number, nth: number, ranking: Ranking): void {
  let from = low
  let until = rows.length
  while (from < nth && nth < until) {
    const [lower, upper] = partition(rows, from, until, ranking)
    if (nth <= lower) until = lower
    else if (nth >= upper) from = upper
    else return
  }
}

/** Partitions three ways around the median of three, and answers where the equal rows begin and end. */
function partition(rows: Uint32Array, low: number, high: number, ranking: Ranking): [number, number] {
  const pivot = medianOfThree(rows[low] ?? 0, rows[(low + high) >>> 1] ?? 0, rows[high - 1] ?? 0, ranking)
  let lower = low
  let upper = high
  let at = low
  while (at < upper) {
    const row = rows[at] ?? 0
    const order = compare(ranking, row, pivot)
    if (order < 0) {
      rows[at++] = rows[lower] ?? 0
      rows[lower++] = row
    } else if (order > 0) {
      rows[at] = rows[--upper] ?? 0
      rows[upper] = row
    } else at++
  }
  return [lower, upper]
}

function medianOfThree(a: number, b: number, c: number, ranking: Ranking): number {
  if (compare(ranking, a, b) > 0) [a, b] = [b, a]
  if (compare(ranking, b, c) <= 0) return b
  return compare(ranking, a, c) > 0 ? a : c
}
