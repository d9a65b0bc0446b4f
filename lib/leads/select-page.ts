import type { Sort } from '@/lib/contract/list-query'
import { compareKeys } from './comparable-text'
import { type LeadTable, NO_YEAR } from './lead-table'
import { getTableSearch } from './table-search'

type PageOrder = {
  sort?: Sort | undefined
  /** Without a `sort` the best matches of this search come first. */
  q?: string | undefined
  schoolSortKey: (highSchoolId: string) => string
  /** The order `waiting` begins with the leads that need an answer, the longest waiting first. */
  isWaiting?: ((row: number) => boolean) | undefined
}

/** After this many rows one by one, it is cheaper to search all texts at once. */
const PREPARE_AFTER = 1_000

export function selectPage(table: LeadTable, rows: Uint32Array, page: PageOrder & { offset: number; limit: number }) {
  const start = Math.min(page.offset, rows.length)
  const end = Math.min(page.offset + page.limit, rows.length)
  const search = page.sort === undefined ? getTableSearch(table, page.q) : null
  if (search !== null) {
    // Matches at the beginning of words come before those inside; both are newest first.
    const wordStarts: number[] = []
    const others: number[] = []
    for (const [index, row] of rows.entries()) {
      if (wordStarts.length === end) break
      if (index === PREPARE_AFTER) search.wordStarts.prepareFor(rows.length)
      if (search.wordStarts.test(row)) wordStarts.push(row)
      else if (others.length < end) others.push(row)
    }
    return wordStarts.concat(others).slice(start, end)
  }
  const ranking = createRanking(table, rows, page)
  if (ranking === null || start === end) return [...rows.subarray(start, end)]
  // Quickselect (Hoare 1961) puts the page's rows in their places in a few passes, instead of a full sort.
  const copy = rows.slice()
  quickselect(copy, 0, start, ranking)
  quickselect(copy, start, end, ranking)
  return [...copy.subarray(start, end).sort((a, b) => compare(ranking, a, b))]
}

/** Counts the rows before a row, or returns null if it is not among them. */
export function findPosition(table: LeadTable, rows: Uint32Array, row: number, order: PageOrder): number | null {
  if (!rows.includes(row)) return null
  const ranking = createRanking(table, rows, order)
  if (ranking === null) return selectPage(table, rows, { ...order, offset: 0, limit: rows.length }).indexOf(row)
  return rows.reduce((before, other) => (compare(ranking, other, row) < 0 ? before + 1 : before), 0)
}

/** Rows are ordered by `numbers`, and those with equal numbers by `texts`. */
type Ranking = { numbers: Float64Array; texts: readonly string[] | null }

/** All orders share this function, so that the engine inlines it into the loops. */
function compare({ numbers, texts }: Ranking, a: number, b: number): number {
  const difference = (numbers[a] ?? 0) - (numbers[b] ?? 0)
  if (difference !== 0) return difference
  return (texts === null ? 0 : compareKeys(texts[a] ?? '', texts[b] ?? '')) || a - b
}

/** Ranks the rows, or returns null for the table's own order. */
function createRanking(table: LeadTable, rows: Uint32Array, order: PageOrder): Ranking | null {
  const toNumber = createSortNumber(table, order)
  if (toNumber === null) return null
  if (numbers.length < table.size) numbers = new Float64Array(table.size)
  for (const row of rows) numbers[row] = toNumber(row)
  return { numbers, texts: order.sort === 'name' ? table.sortName : null }
}

/** The memory is reused, to spare the garbage collector: a ranking is valid until the next one is created. */
let numbers = new Float64Array(0)

/** Names are read once for each table, because that is most of what ordering by name costs. */
const namePrefixes = new WeakMap<LeadTable, Float64Array>()

const LAST = Number.MAX_SAFE_INTEGER

function createSortNumber(table: LeadTable, order: PageOrder): ((row: number) => number) | null {
  switch (order.sort) {
    case undefined:
    case '-createdAt':
      return null
    case 'createdAt':
      return (row) => -row
    case 'waiting':
      return (row) => (order.isWaiting?.(row) ? (table.createdAt[row] ?? 0) : LAST)
    case 'name': {
      const prefixes = namePrefixes.get(table) ?? Float64Array.from(table.sortName, toSortPrefix)
      namePrefixes.set(table, prefixes)
      return (row) => prefixes[row] ?? 0
    }
    case 'school': {
      const schools = table.schoolIds.map((id, index) => ({ index, id, key: order.schoolSortKey(id) }))
      schools.sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
      const ranks = new Uint32Array(schools.length)
      for (const [rank, { index }] of schools.entries()) ranks[index] = rank
      return (row) => ranks[table.school[row] ?? 0] ?? 0
    }
    case 'year':
      return (row) => (table.year[row] === NO_YEAR ? LAST : (table.year[row] ?? LAST))
    default:
      return order.sort satisfies never
  }
}

const PREFIX_LENGTH = 6
/** `toSwedishSortKey` writes å ä ö as the codes from the first to the last. */
const CODES_AFTER_Z = { first: 0xe000, last: 0xe002 }
/** Letters that are neither ASCII nor å ä ö share a number on either side of å ä ö. */
const NUMBERS = { othersBefore: 128, afterZ: 129, othersAfter: 132 }

/** Returns the first letters of a sort key as a number that orders like it. Whole keys decide between equal ones. */
function toSortPrefix(key: string): number {
  let prefix = 0
  let isExact = true
  for (let index = 0; index < PREFIX_LENGTH; index++) {
    let number: number = isExact && index < key.length ? key.charCodeAt(index) : 0
    if (number > CODES_AFTER_Z.last) number = NUMBERS.othersAfter
    else if (number >= CODES_AFTER_Z.first) number += NUMBERS.afterZ - CODES_AFTER_Z.first
    else if (number > NUMBERS.othersBefore) number = NUMBERS.othersBefore
    // What follows a letter that shares its number is ignored.
    isExact &&= number !== NUMBERS.othersBefore && number !== NUMBERS.othersAfter
    prefix = prefix * 256 + number
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
