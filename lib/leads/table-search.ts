import type { LeadTable } from './lead-table'
import { createLetterFinder } from './letter-marks'
import { parseSearch, type SearchTerm } from './search-terms'
import {
  BEGINS_WORD,
  createTextMatcher,
  createWordFinder,
  INSIDE_WORD,
  NO_MATCH,
  type SearchTexts,
  type TextMatcher,
  UNKNOWN,
} from './search-texts'

type TableSearch = { inside: RowTest; wordStarts: RowTest }

type RowTest = {
  test: (row: number) => boolean
  /** Searches all texts at once if many rows will be tested. */
  prepareFor: (rowCount: number) => void
}

const MAX_SEARCHES = 8
const searchesByTable = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/** Returns the search for a query, or null for an empty one. The last few are cached for the next page and the counts. */
export function getTableSearch(table: LeadTable, query = ''): TableSearch | null {
  const cached = searchesByTable.get(table) ?? new Map<string, TableSearch | null>()
  searchesByTable.set(table, cached)
  const found = cached.get(query)
  if (found !== undefined) return found
  const oldest = cached.size < MAX_SEARCHES ? undefined : cached.keys().next().value
  if (oldest !== undefined) cached.delete(oldest)
  const matchers = parseSearch(query).map((term) => createTermMatcher(table.texts, term))
  const createTest = (wanted: number) => createRowTest(table, matchers, wanted)
  const search = matchers.length === 0 ? null : { inside: createTest(INSIDE_WORD), wordStarts: createTest(BEGINS_WORD) }
  cached.set(query, search)
  return search
}

/** If fewer than this share of the rows is tested, their texts are searched one by one. */
const SCAN_SHARE = 1 / 8

/** Tests whether the text of a row matches as well as `wanted`. Each text is searched once, however many leads have it. */
function createRowTest({ text, texts, size }: LeadTable, matchers: readonly TextMatcher[], wanted: number): RowTest {
  const answers = new Uint8Array(texts.count)
  let isComplete = false
  const searchRange = (from: number, until: number) => {
    answers.fill(wanted, from, until)
    for (const match of matchers) match(answers, from, until)
  }
  return {
    test: (row) => {
      const index = text[row] ?? 0
      if (answers[index] === UNKNOWN) searchRange(index, index + 1)
      return answers[index] === wanted
    },
    prepareFor: (rowCount) => {
      if (isComplete || rowCount < size * SCAN_SHARE) return
      searchRange(0, texts.count)
      isComplete = true
    },
  }
}

/** A text matches a term as well as it matches the digits or all of the words, whichever is better. */
function createTermMatcher(texts: SearchTexts, { digits, words }: SearchTerm): TextMatcher {
  const wordMatchers = words.map((word) => {
    const find = word.plain === word.typed ? createWordFinder(texts, word.plain) : createLetterFinder(texts, word)
    return createTextMatcher(find, texts)
  })
  const matchWords: TextMatcher = (answers, from, until) => {
    for (const match of wordMatchers) match(answers, from, until)
  }
  if (digits === null) return matchWords
  const matchDigits = createTextMatcher(createWordFinder(texts, digits), texts)
  const wordAnswers = new Uint8Array(texts.count)
  return (answers, from, until) => {
    wordAnswers.set(answers.subarray(from, until), from)
    matchWords(wordAnswers, from, until)
    matchDigits(answers, from, until)
    for (let text = from; text < until; text++)
      answers[text] = Math.max(answers[text] ?? NO_MATCH, wordAnswers[text] ?? NO_MATCH)
  }
}
