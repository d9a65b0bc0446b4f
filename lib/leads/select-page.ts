import type { Sort } from '@/lib/contract/list-query'
import { getOrCreate } from '@/lib/get-or-create'
import { type LeadTable, NO_YEAR } from './lead-table'
import { compareKeys, toSortPrefix } from './swedish-sort-key'
import { getTableSearch } from './table-search'

type PageOrder = {
  sort?: Sort | undefined
  /** Without a `sort` the best matches of this search come first. */
  q?: string | undefined
  schoolSortKey: (highSchoolId: string) => string
  /** The order `waiting` begins with the leads that need an answer, the longest waiting first. */
  isWaiting?: ((row: number) => boolean) | undefined
}

/** If a page is not full after this many rows, it is cheaper to search all texts at once. */
const PREPARE_AFTER_ROWS = 1_000

/** Returns the rows of a page. `rows` are in the table's order, which rows of equal rank keep. */
export function selectPage(table: LeadTable, rows: Uint32Array, page: PageOrder & { offset: number; limit: number }) {
  const start = Math.min(page.offset, rows.length)
  const end = Math.min(page.offset + page.limit, rows.length)
  const search = page.sort === undefined ? getTableSearch(table, page.q) : null
  if (search !== null) {
    // Matches at the beginning of words come before those inside; both are newest first.
    const startMatches: number[] = []
    const insideMatches: number[] = []
    for (const [index, row] of rows.entries()) {
      if (startMatches.length === end) break
      if (index === PREPARE_AFTER_ROWS) search.wordStarts.prepareFor(rows.length)
      if (search.wordStarts.test(row)) startMatches.push(row)
      else if (insideMatches.length < end) insideMatches.push(row)
    }
    return startMatches.concat(insideMatches).slice(start, end)
  }
  const ranking = createRanking(table, rows, page)
  if (ranking === null || start === end) return [...rows.subarray(start, end)]
  // Quickselect (Hoare 1961) puts the page's rows in their places in a few passes, instead of a full sort.
  const partitioned = rows.slice()
  quickselect(partitioned, 0, start, ranking)
  quickselect(partitioned, start, end, ranking)
  return [...partitioned.subarray(start, end).sort((a, b) => compareRows(ranking, a, b))]
}

/** Counts the rows before a row, or returns null if it is not among them. */
export function findPosition(table: LeadTable, rows: Uint32Array, row: number, order: PageOrder): number | null {
  if (!rows.includes(row)) return null
  const ranking = createRanking(table, rows, order)
  if (ranking === null) return selectPage(table, rows, { ...order, offset: 0, limit: rows.length }).indexOf(row)
  return rows.reduce((before, other) => (compareRows(ranking, other, row) < 0 ? before + 1 : before), 0)
}

/** Rows are ordered by `sortNumbers`, and those with equal numbers by `sortTexts`. */
type Ranking = { sortNumbers: Float64Array; sortTexts: readonly string[] | null }

/** All orders share this function, so that the engine inlines it into the loops. */
function compareRows({ sortNumbers, sortTexts }: Ranking, a: number, b: number): number {
  const difference = (sortNumbers[a] ?? 0) - (sortNumbers[b] ?? 0)
  if (difference !== 0) return difference
  return (sortTexts === null ? 0 : compareKeys(sortTexts[a] ?? '', sortTexts[b] ?? '')) || a - b
}

/** Ranks the rows, or returns null for the table's own order. */
function createRanking(table: LeadTable, rows: Uint32Array, order: PageOrder): Ranking | null {
  const toSortNumber = createToSortNumber(table, order)
  if (toSortNumber === null) return null
  if (reusedNumbers.length < table.size) reusedNumbers = new Float64Array(table.size)
  for (const row of rows) reusedNumbers[row] = toSortNumber(row)
  return { sortNumbers: reusedNumbers, sortTexts: order.sort === 'name' ? table.sortName : null }
}

/** The memory is reused, to spare the garbage collector: a ranking is valid until the next one is created. */
let reusedNumbers = new Float64Array(0)

/** Prefixes are computed once for each table, because they are most of what ordering by name costs. */
const namePrefixesByTable = new WeakMap<LeadTable, Float64Array>()

const SORTS_LAST = Number.MAX_SAFE_INTEGER

function createToSortNumber(table: LeadTable, order: PageOrder): ((row: number) => number) | null {
  switch (order.sort) {
    case undefined:
    case '-createdAt':
      return null
    case 'createdAt':
      return (row) => -row
    case 'waiting':
      return (row) => (order.isWaiting?.(row) ? (table.createdAt[row] ?? 0) : SORTS_LAST)
    case 'name': {
      const prefixes = getOrCreate(namePrefixesByTable, table, () => Float64Array.from(table.sortName, toSortPrefix))
      return (row) => prefixes[row] ?? 0
    }
    case 'school': {
      const schools = table.schoolIds.map((id, index) => ({ index, id, key: order.schoolSortKey(id) }))
      schools.sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
      const ranks = new Uint32Array(schools.length)
      for (const [rank, { index }] of schools.entries()) ranks[index] = rank
      return (row) => ranks[table.schoolIndex[row] ?? 0] ?? 0
    }
    case 'year':
      return (row) => (table.year[row] === NO_YEAR ? SORTS_LAST : (table.year[row] ?? SORTS_LAST))
    default:
      return order.sort satisfies never
  }
}

/** Puts the rows from `low` on so that those before `nth` come before those after it in the ranking. */
function quickselect(rows: Uint32Array, low: number, nth: number, ranking: Ranking): void {
  let from = low
  let until = rows.length
  while (from < nth && nth < until) {
    // The rows are partitioned three ways, around the median of three.
    const three = [rows[from] ?? 0, rows[(from + until) >>> 1] ?? 0, rows[until - 1] ?? 0]
    const pivot = three.sort((a, b) => compareRows(ranking, a, b))[1] ?? 0
    let lower = from
    let upper = until
    let index = from
    while (index < upper) {
      const row = rows[index] ?? 0
      const order = compareRows(ranking, row, pivot)
      if (order < 0) {
        rows[index++] = rows[lower] ?? 0
        rows[lower++] = row
      } else if (order > 0) {
        rows[index] = rows[--upper] ?? 0
        rows[upper] = row
      } else index++
    }
    if (nth <= lower) until = lower
    else if (nth >= upper) from = upper
    else return
  }
}
