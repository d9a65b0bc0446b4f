import type { Sort } from '@/lib/contract/list-query'
import { compareKeys } from './comparable-text'
import { createScratchBuffer, type LeadTable, NO_YEAR } from './lead-table'
import { getTableSearch } from './table-search'

type PageOrder = {
  sort?: Sort | undefined
  /** Without a `sort` the best matches of this search come first. */
  q?: string | undefined
  schoolSortKey: (highSchoolId: string) => string
  /** The order `waiting` begins with the leads that need an answer, the longest waiting first. */
  isWaiting?: ((row: number) => boolean) | undefined
}

/** Selects the rows of a page. Ties keep the table’s order, which is reversed for `createdAt`. */
export function selectPage(
  table: LeadTable,
  rows: Uint32Array,
  page: PageOrder & { offset: number; limit: number },
): number[] {
  const { sort, offset, limit } = page
  const search = sort === undefined ? getTableSearch(table, page.q)?.beginsWords : undefined
  if (search !== undefined) {
    // Matches at the beginning of words come before those inside; both are newest first.
    const [wordStarts, others]: [number[], number[]] = [[], []]
    for (let index = 0; index < rows.length && wordStarts.length < offset + limit; index++) {
      const row = rows[index] ?? 0
      if (index === PREPARE_AFTER) search.prepareFor(rows.length)
      if (search(row)) wordStarts.push(row)
      else if (others.length < offset + limit) others.push(row)
    }
    return wordStarts.concat(others).slice(offset, offset + limit)
  }
  if (sort === undefined || sort === '-createdAt') return [...rows.subarray(offset, offset + limit)]
  if (sort === 'createdAt') {
    const end = Math.max(0, rows.length - offset)
    return [...rows.subarray(Math.max(0, end - limit), end)].reverse()
  }
  // Quickselect (Hoare 1961) puts the rows of the page in their places, which costs a few passes instead of a full sort.
  const end = Math.min(offset + limit, rows.length)
  if (offset >= end) return []
  const ranking = createRanking(table, rows, page)
  const copy = borrowRowCopy(rows.length)
  copy.set(rows)
  quickselect(copy, 0, offset, ranking)
  quickselect(copy, offset, end, ranking)
  return [...copy.subarray(offset, end).sort((a, b) => compare(ranking, a, b))]
}

/** After this many rows one by one, it is cheaper to search all texts at once. */
const PREPARE_AFTER = 1_000

const borrowRowCopy = createScratchBuffer((size) => new Uint32Array(size))

export function findPosition(table: LeadTable, rows: Uint32Array, row: number, order: PageOrder): number | null {
  const { sort } = order
  if (!rows.includes(row)) return null
  if (sort === undefined || sort === '-createdAt' || sort === 'createdAt')
    return selectPage(table, rows, { ...order, offset: 0, limit: rows.length }).indexOf(row)
  const ranking = createRanking(table, rows, order)
  return rows.reduce((before, other) => (compare(ranking, other, row) < 0 ? before + 1 : before), 0)
}

type Ranking = { numbers: Float64Array; texts: readonly string[] | null }

/** All orders share this function, so that the engine inlines it into the loops. */
function compare({ numbers, texts }: Ranking, a: number, b: number): number {
  const difference = (numbers[a] ?? 0) - (numbers[b] ?? 0)
  if (difference !== 0) return difference
  return (texts === null ? 0 : compareKeys(texts[a] ?? '', texts[b] ?? '')) || a - b
}

const borrowNumbers = createScratchBuffer((size) => new Float64Array(size))

function createRanking(table: LeadTable, rows: Uint32Array, order: PageOrder): Ranking {
  if (order.sort === 'name') {
    const prefixes = prefixesByTable.get(table) ?? new Float64Array(table.size)
    prefixesByTable.set(table, prefixes)
    for (const row of rows) if (prefixes[row] === 0) prefixes[row] = toSortPrefix(table.sortName[row] ?? '')
    return { numbers: prefixes, texts: table.sortName }
  }
  let toNumber = (row: number): number => {
    const year = table.year[row] ?? NO_YEAR
    return year === NO_YEAR ? Number.MAX_SAFE_INTEGER : year
  }
  if (order.sort === 'waiting')
    toNumber = (row) => (order.isWaiting?.(row) ? (table.createdAt[row] ?? 0) : Number.MAX_SAFE_INTEGER)
  if (order.sort === 'school') {
    const keys = table.schoolIds.map((id, index) => ({ index, key: order.schoolSortKey(id), id }))
    keys.sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
    const ranks = new Uint32Array(keys.length)
    for (const [rank, { index }] of keys.entries()) ranks[index] = rank
    toNumber = (row) => ranks[table.school[row] ?? 0] ?? 0
  }
  const numbers = borrowNumbers(table.size)
  for (const row of rows) numbers[row] = toNumber(row)
  return { numbers, texts: null }
}

/** The name prefixes are kept as long as their table; 0 means not computed yet. */
const prefixesByTable = new WeakMap<LeadTable, Float64Array>()

const LETTERS = 6
const [FIRST_AFTER_Z, LAST_AFTER_Z] = [0xe000, 0xe002]

/** Returns the first letters of a name as a number that orders like it. Whole names are compared only if the numbers are equal. */
function toSortPrefix(name: string): number {
  let prefix = 0
  let isKnown = true
  for (let at = 0; at < LETTERS; at++) {
    const code: number = isKnown && at < name.length ? name.charCodeAt(at) : 0
    const isAfterZ = code >= FIRST_AFTER_Z && code <= LAST_AFTER_Z
    // Other letters share a number on either side of å ä ö, and what follows them is ignored.
    isKnown &&= code < 128 || isAfterZ
    const otherLetter = code < FIRST_AFTER_Z ? 128 : 132
    prefix = prefix * 256 + (code < 128 ? code : isAfterZ ? code - FIRST_AFTER_Z + 129 : otherLetter)
  }
  return prefix
}

/** Puts the rows from `low` on so that those before `nth` come before those after it in the ranking. */
function quickselect(rows: Uint32Array, low: number, nth: number, ranking: Ranking): void {
  let from = low
  let until = rows.length
  while (from < nth && nth < until) {
    // The rows are partitioned three ways, around the median of three.
    const three = [rows[from] ?? 0, rows[(from + until) >>> 1] ?? 0, rows[until - 1] ?? 0]
    const pivot = three.sort((a, b) => compare(ranking, a, b))[1] ?? 0
    let lower = from
    let upper = until
    let index = from
    while (index < upper) {
      const row = rows[index] ?? 0
      const order = compare(ranking, row, pivot)
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
