import { getOrCreate } from '@/lib/get-or-create'
import type { LeadTable } from './lead-table'
import { parseSearch, type SearchTerm } from './search-terms'
import { createTextMatcher, MATCH_LEVELS, type SearchTexts, type TextMatcher } from './search-texts'

/** A row passes `inside` if its text has all terms, and `wordStarts` if each begins a word. */
type TableSearch = { inside: RowTest; wordStarts: RowTest }

type RowTest = {
  test: (row: number) => boolean
  /** Searches all texts at once if many rows will be tested. */
  prepareFor: (rowCount: number) => void
}

const MAX_CACHED_SEARCHES = 8
/** If fewer than this share of the rows is tested, their texts are searched one by one. */
const SCAN_SHARE = 1 / 8
const searchesByTable = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/** Returns the search for a query, or null for an empty one. A few are cached for the next page and the counts. */
export function getTableSearch(table: LeadTable, query = ''): TableSearch | null {
  const searches = getOrCreate(searchesByTable, table, () => new Map<string, TableSearch | null>())
  const cached = searches.get(query)
  if (cached !== undefined) return cached
  const oldestQuery = searches.size < MAX_CACHED_SEARCHES ? undefined : searches.keys().next().value
  if (oldestQuery !== undefined) searches.delete(oldestQuery)
  const matchers = parseSearch(query).map((term) => createTermMatcher(table.texts, term))
  const createTest = (level: keyof typeof MATCH_LEVELS) => createRowTest(table, matchers, MATCH_LEVELS[level])
  const search =
    matchers.length === 0 ? null : { inside: createTest('INSIDE_WORD'), wordStarts: createTest('BEGINS_WORD') }
  searches.set(query, search)
  return search
}

/** Tests whether a row's text matches at `wantedLevel`. Each text is searched once, however many leads have it. */
function createRowTest(table: LeadTable, matchers: readonly TextMatcher[], wantedLevel: number): RowTest {
  const { texts, size } = table
  const matchLevels = new Uint8Array(texts.count)
  let isComplete = false
  const searchRange = (from: number, until: number) => {
    matchLevels.fill(wantedLevel, from, until)
    for (const match of matchers) match(matchLevels, from, until)
  }
  return {
    test: (row) => {
      const textIndex = table.textIndex[row] ?? 0
      if (matchLevels[textIndex] === MATCH_LEVELS.UNKNOWN) searchRange(textIndex, textIndex + 1)
      return matchLevels[textIndex] === wantedLevel
    },
    prepareFor: (rowCount) => {
      if (isComplete || rowCount < size * SCAN_SHARE) return
      searchRange(0, texts.count)
      isComplete = true
    },
  }
}

/** The level of a text for a term is the better of two: the level of the digits, and that of all the words. */
function createTermMatcher(texts: SearchTexts, { digits, words }: SearchTerm): TextMatcher {
  const wordMatchers = words.map((word) => createTextMatcher(texts, word))
  const matchWords: TextMatcher = (matchLevels, from, until) => {
    for (const match of wordMatchers) match(matchLevels, from, until)
  }
  if (digits === null) return matchWords
  const matchDigits = createTextMatcher(texts, digits)
  const wordLevels = new Uint8Array(texts.count)
  return (matchLevels, from, until) => {
    wordLevels.set(matchLevels.subarray(from, until), from)
    matchWords(wordLevels, from, until)
    matchDigits(matchLevels, from, until)
    for (let index = from; index < until; index++)
      matchLevels[index] = Math.max(matchLevels[index] ?? 0, wordLevels[index] ?? 0)
  }
}
