import type { LeadTable } from './lead-table'
import { isWordStart, type SearchTerm, searchTerms, type SearchWord } from './search-terms'
import { letterFinder } from './swedish-letters'

export type TableSearch = {
  /** Whether every term is met somewhere in the row. */
  matches: (row: number) => boolean
  /** Whether every term is met where a word begins, or a phone. */
  beginsWords: (row: number) => boolean
}

/** A search over one table; null for an empty one, which every row meets. */
export function tableSearch(table: LeadTable, query: string | undefined): TableSearch | null {
  const tests = searchTerms(query ?? '').map((term) => termTest(table, term))
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
