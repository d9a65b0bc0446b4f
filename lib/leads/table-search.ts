import type { LeadTable } from './lead-table'
import { isWordStart, type SearchTerm, searchTerms, type SearchWord } from './search-terms'
import { letterFinder } from './swedish-letters'

export type TableSearch = {
  /** Whether every term is met somewhere in the row. */
  matches: (row: number) => boolean
  /** Whether every term is met where a word begins, or a phone. */
  beginsWords: (row: number) => boolean
}

const MOST_SEARCHES = 8
const searchesOf = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/**
 * A search over one table; null for an empty one, which every row meets. The last few of each table know what they have
 * found: the next page, the count beside it and the next reader of the same need not look into the texts again.
 */
export function tableSearch(table: LeadTable, query = ''): TableSearch | null {
  const known = searchesOf.get(table) ?? new Map<string, TableSearch | null>()
  searchesOf.set(table, known)
  const found = known.get(query)
  if (found !== undefined) return found
  const oldest = known.size < MOST_SEARCHES ? undefined : known.keys().next().value
  if (oldest !== undefined) known.delete(oldest)
  const search = searchOver(table, query)
  const remembering = search && {
    matches: remembered(table.size, search.matches),
    beginsWords: remembered(table.size, search.beginsWords),
  }
  known.set(query, remembering)
  return remembering
}

const [UNKNOWN, NO, YES] = [0, 1, 2]

function remembered(size: number, test: (row: number) => boolean): (row: number) => boolean {
  const answers = new Uint8Array(size)
  return (row) => {
    const known = answers[row] ?? UNKNOWN
    if (known !== UNKNOWN) return known === YES
    const isTrue = test(row)
    answers[row] = isTrue ? YES : NO
    return isTrue
  }
}

function searchOver(table: LeadTable, query: string): TableSearch | null {
  const tests = searchTerms(query).map((term) => termTest(table, term))
  const [first, ...others] = tests
  if (first === undefined) return null
  if (others.length === 0) return { matches: first.isMet, beginsWords: first.begins }
  return {
    matches: (row) => first.isMet(row) && others.every(({ isMet }) => isMet(row)),
    beginsWords: (row) => tests.every(({ begins }) => begins(row)),
  }
}

type Test = { isMet: (row: number) => boolean; begins: (row: number) => boolean }

function termTest(table: LeadTable, { digits, words }: SearchTerm): Test {
  const asWords = words.map((word) => wordTest(table, word))
  const [only] = asWords
  if (only !== undefined && asWords.length === 1 && (digits === null || digits === words[0]?.plain)) return only
  const number = digits ?? ''
  const asNumber = wordTest(table, { plain: number, typed: number })
  const first = words[0]?.plain ?? ''
  // One look for either costs less than two, and most rows have neither.
  const either = new RegExp(`${escaped(number)}|${escaped(first)}`)
  const { searchText } = table
  return {
    isMet: (row) =>
      either.test(searchText[row] ?? '') && (asNumber.isMet(row) || asWords.every(({ isMet }) => isMet(row))),
    begins: (row) => asNumber.begins(row) || asWords.every(({ begins }) => begins(row)),
  }
}

function escaped(text: string): string {
  return text.replace(/\W/g, String.raw`\$&`)
}

function wordTest({ searchText, letters }: LeadTable, word: SearchWord): Test {
  const { plain, typed } = word
  const isPlain = plain === typed
  const find = isPlain
    ? (row: number, from: number) => (searchText[row] ?? '').indexOf(plain, from)
    : letterFinder(searchText, letters, word)
  return {
    isMet: isPlain ? (row) => (searchText[row] ?? '').includes(plain) : (row) => find(row, 0) !== -1,
    begins: (row) => {
      const text = searchText[row] ?? ''
      let at = find(row, 0)
      while (at !== -1 && !isWordStart(text, at)) at = find(row, at + 1)
      return at !== -1
    },
  }
}
