import type { LeadTable } from './lead-table'
import { parseSearch, type SearchTerm } from './search-terms'
import {
  BEGINS_WORD,
  createLetterFinder,
  createTextMatcher,
  createWordFinder,
  INSIDE_WORD,
  NO_MATCH,
  type SearchTexts,
  type TextMatcher,
  UNKNOWN,
} from './search-texts'

type TableSearch = { matches: RowTest; beginsWords: RowTest }

type RowTest = {
  (row: number): boolean
  /** Says how many rows will be tested; for many, all texts are searched at once. */
  prepareFor: (rows: number) => void
}

const MAX_SEARCHES = 8
const searchesByTable = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/** Returns the search for a query, or null for an empty one. The last few of each table are cached for the next page and the counts. */
export function getTableSearch(table: LeadTable, query = ''): TableSearch | null {
  const cached = searchesByTable.get(table) ?? new Map<string, TableSearch | null>()
  searchesByTable.set(table, cached)
  const found = cached.get(query)
  if (found !== undefined) return found
  const oldest = cached.size < MAX_SEARCHES ? undefined : cached.keys().next().value
  if (oldest !== undefined) cached.delete(oldest)
  const matchers = parseSearch(query).map((term) => createTermMatcher(table.texts, term))
  const createTest = (wanted: number) => createRowTest(table, matchers, wanted)
  const search =
    matchers.length === 0 ? null : { matches: createTest(INSIDE_WORD), beginsWords: createTest(BEGINS_WORD) }
  cached.set(query, search)
  return search
}

/** If fewer than this share of the rows is tested, texts are looked at one by one. */
const SCAN_SHARE = 1 / 8
/** If fewer than this share is tested, no array for the answers of all texts is allocated. */
const TABLE_SHARE = 1 / 64

/** Each text is looked at once, however many leads have it. */
function createRowTest({ text, texts, size }: LeadTable, matchers: readonly TextMatcher[], wanted: number): RowTest {
  const answerByText = new Map<number, number>()
  const singleAnswer = new Uint8Array(1)
  let answers: Uint8Array | null = null
  let isScanned = false

  function matchRange(found: Uint8Array, from: number, until: number, first = 0): void {
    found.fill(wanted, from - first, until - first)
    for (const match of matchers) match(found, from, until, first)
  }
  function matchOne(index: number): number {
    matchRange(singleAnswer, index, index + 1, index)
    const answer = singleAnswer[0] ?? NO_MATCH
    answerByText.set(index, answer)
    return answer
  }

  const test = (row: number) => {
    const index = text[row] ?? 0
    if (answers === null) return (answerByText.get(index) ?? matchOne(index)) === wanted
    if (answers[index] === UNKNOWN) matchRange(answers, index, index + 1)
    return answers[index] === wanted
  }
  const prepareFor = (rows: number) => {
    if (isScanned || rows < size * TABLE_SHARE) return
    answers ??= new Uint8Array(texts.count)
    if (rows < size * SCAN_SHARE) return
    matchRange(answers, 0, texts.count)
    isScanned = true
  }
  return Object.assign(test, { prepareFor })
}

function createTermMatcher(texts: SearchTexts, { digits, words }: SearchTerm): TextMatcher {
  const wordMatchers = words.map((word) => {
    const find = word.plain === word.typed ? createWordFinder(texts, word.plain) : createLetterFinder(texts, word)
    return createTextMatcher(find, texts)
  })
  const [only] = wordMatchers
  if (only !== undefined && wordMatchers.length === 1 && (digits === null || digits === words[0]?.plain)) return only
  const numberMatcher = createTextMatcher(createWordFinder(texts, digits ?? ''), texts)
  let others = new Uint8Array(0)
  return (answers, from, until, first = 0) => {
    if (others.length < answers.length) others = new Uint8Array(answers.length)
    others.set(answers.subarray(from - first, until - first), from - first)
    numberMatcher(answers, from, until, first)
    for (const match of wordMatchers) match(others, from, until, first)
    for (let index = from - first; index < until - first; index++)
      answers[index] = Math.max(answers[index] ?? NO_MATCH, others[index] ?? NO_MATCH)
  }
}
