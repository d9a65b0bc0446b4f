import type { Sort } from '@/lib/contract/list-query'
import { compareKeys } from './comparable-text'
import { type LeadTable, NO_YEAR } from './lead-table'
import { type TableSearch, tableSearch } from './table-search'

type Order = {
  sort?: Sort | undefined
  /** What the rows were searched by: without a `sort` its best matches come first. */
  q?: string | undefined
  /** How school ids are called in the order (`swedishSortKey` of their names). */
  schoolSortKey: (highSchoolId: string) => string
}
type PageRequest = Order & { offset: number; limit: number }

/** One page of selected rows (in the table's order) in the order asked for; ties keep the table's order. */
export function pageRows(table: LeadTable, rows: Uint32Array, page: PageRequest): number[] {
  const { sort, offset, limit } = page
  const search = searchOf(table, page)
  if (search !== null) return bestMatches(rows, search, offset, offset + limit)
  if (sort === undefined || sort === '-createdAt') return [...rows.subarray(offset, offset + limit)]
  if (sort === 'createdAt') return [...rows].reverse().slice(offset, offset + limit)
  return smallestBetween(Uint32Array.from(rows), offset, offset + limit, comparison(table, page))
}

/** Where a row stands among the selected ones in that order, or null when it is not one of them. */
export function placeOf(table: LeadTable, rows: Uint32Array, row: number, order: Order): number | null {
  const { sort } = order
  const at = rows.indexOf(row)
  if (at === -1) return null
  const search = searchOf(table, order)
  if (search !== null) return bestMatches(rows, search, 0, rows.length).indexOf(row)
  if (sort === undefined || sort === '-createdAt') return at
  if (sort === 'createdAt') return rows.length - 1 - at
  const compare = comparison(table, order)
  return rows.reduce((before, other) => (compare(other, row) < 0 ? before + 1 : before), 0)
}

/** The search that decides the order, if one does: a `sort` that is asked for holds without regard to it. */
function searchOf(table: LeadTable, { sort, q }: Order): TableSearch | null {
  return sort === undefined ? tableSearch(table, q) : null
}

/** What was met where words begin, then what was met inside of them; newest first in both. Looks no further than it must. */
function bestMatches(rows: Uint32Array, search: TableSearch, from: number, until: number): number[] {
  const begun: number[] = []
  const others: number[] = []
  for (const row of rows) {
    if (begun.length === until) break
    if (search.beginsWords(row)) begun.push(row)
    else if (others.length < until) others.push(row)
  }
  return begun.concat(others).slice(from, until)
}

type Compare = (a: number, b: number) => number

function comparison(table: LeadTable, order: Order): Compare {
  const column = sortColumn(table, order)
  return (a, b) => column(a, b) || a - b
}

function sortColumn(table: LeadTable, order: Order): Compare {
  switch (order.sort) {
    case 'name':
      return byName(table)
    case 'year':
      return (a, b) => yearRank(table.year[a]) - yearRank(table.year[b])
    case 'school':
      return rankedSchools(table, order.schoolSortKey)
    case undefined:
    case '-createdAt':
      return () => 0
    case 'createdAt':
      return (a, b) => b - a
    default:
      return order.sort satisfies never
  }
}

/** By the first letters as a number; whole names are compared only where those are equal. */
function byName(table: LeadTable): Compare {
  const prefixes = namePrefixes(table)
  const { sortName } = table
  return (a, b) => (prefixes[a] ?? 0) - (prefixes[b] ?? 0) || compareKeys(sortName[a] ?? '', sortName[b] ?? '')
}

/** What a table's names come to is the same for every request, and gone with the table. */
const prefixesOf = new WeakMap<LeadTable, Float64Array>()
const LETTERS = 3

function namePrefixes(table: LeadTable): Float64Array {
  const known = prefixesOf.get(table)
  if (known) return known
  const prefixes = Float64Array.from(table.sortName, (name) => {
    let prefix = 0
    for (let at = 0; at < LETTERS; at++) prefix = prefix * 65_536 + (at < name.length ? name.charCodeAt(at) : 0)
    return prefix
  })
  prefixesOf.set(table, prefixes)
  return prefixes
}

/** Leads without a year come last. */
function yearRank(year: number | undefined): number {
  return year === undefined || year === NO_YEAR ? Number.MAX_SAFE_INTEGER : year
}

function rankedSchools(table: LeadTable, keyOf: (highSchoolId: string) => string): Compare {
  const keys = table.schoolIds.map((id, index) => ({ index, key: keyOf(id), id }))
  const ranks = new Uint32Array(keys.length)
  keys
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
    .forEach(({ index }, rank) => (ranks[index] = rank))
  return (a, b) => (ranks[table.school[a] ?? 0] ?? 0) - (ranks[table.school[b] ?? 0] ?? 0)
}

/**
 * The elements that a full sort would put at [from, until), sorted. Narrows to that stretch by selection
 * (Hoare's quickselect, 1961) and sorts only it: a page of 75 000 rows costs a few passes, not a sort.
 */
function smallestBetween(rows: Uint32Array, from: number, until: number, compare: Compare): number[] {
  const end = Math.min(until, rows.length)
  if (from >= end) return []
  select(rows, 0, from, compare)
  select(rows, from, end, compare)
  return [...rows.subarray(from, end).sort(compare)]
}

/** Rearranges rows from `low` on so that those before `nth` are all smaller than the others. */
function select(rows: Uint32Array, low: number, nth: number, compare: Compare): void {
  let from = low
  let until = rows.length
  while (from < nth && nth < until) {
    const [lower, upper] = partition(rows, from, until, compare)
    if (nth <= lower) until = lower
    else if (nth >= upper) from = upper
    else return
  }
}

/** Three-way partition around the median of three; answers where the elements equal to it begin and end. */
function partition(rows: Uint32Array, low: number, high: number, compare: Compare): [number, number] {
  const pivot = medianOfThree(rows[low] ?? 0, rows[(low + high) >>> 1] ?? 0, rows[high - 1] ?? 0, compare)
  let lower = low
  let upper = high
  let at = low
  while (at < upper) {
    const row = rows[at] ?? 0
    const order = compare(row, pivot)
    if (order < 0) swap(rows, at++, lower++)
    else if (order > 0) swap(rows, at, --upper)
    else at++
  }
  return [lower, upper]
}

function swap(rows: Uint32Array, a: number, b: number): void {
  const kept = rows[a] ?? 0
  rows[a] = rows[b] ?? 0
  rows[b] = kept
}

function medianOfThree(a: number, b: number, c: number, compare: Compare): number {
  if (compare(a, b) > 0) [a, b] = [b, a]
  if (compare(b, c) <= 0) return b
  return compare(a, c) > 0 ? a : c
}
