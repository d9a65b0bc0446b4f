import type { LeadTable } from './lead-table'
import { type SearchTerm, parseSearch } from './search-terms'
import {
  BEGINS_WORD,
  INSIDE_WORD,
  createLetterFinder,
  type TextMatcher,
  createTextMatcher,
  NO_MATCH,
  type SearchTexts,
  UNKNOWN,
  createWordFinder,
} from './search-texts'

type TableSearch = { matches: RowTest; beginsWords: RowTest }

type RowTest = {
  (row: number): boolean
  /** Says how many rows will be asked about: for many, all texts are looked through at once. */
  prepareFor: (rows: number) => void
}

const MAX_SEARCHES = 8
const searchesOf = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/** The search for a query, null for an empty one. The last few of each table are kept, for the next page and the counts. */
export function getTableSearch(table: LeadTable, query = ''): TableSearch | null {
  const cached = searchesOf.get(table) ?? new Map<string, TableSearch | null>()
  searchesOf.set(table, cached)
  const found = cached.get(query)
  if (found !== undefined) return found
  const oldest = cached.size < MAX_SEARCHES ? undefined : cached.keys().next().value
  if (oldest !== undefined) cached.delete(oldest)
  const matchers = parseSearch(query).map((term) => createTermMatcher(table.texts, term))
  const search =
    matchers.length === 0
      ? null
      : { matches: createRowTest(table, matchers, INSIDE_WORD), beginsWords: createRowTest(table, matchers, BEGINS_WORD) }
  cached.set(query, search)
  return search
}

/** Below this share of the rows, texts are looked at one by one. */
const SCAN_SHARE = 1 / 8
/** Below this share, no array for the answers of all texts is allocated. */
const TABLE_SHARE = 1 / 64

/** Each text is looked at once, however many leads have it. */
function createRowTest({ text, texts, size }: LeadTable, matchers: readonly TextMatcher[], wanted: number): RowTest {
  const some = new Map<number, number>()
  const one = new Uint8Array(1)
  let answers: Uint8Array | null = null
  let isScanned = false

  function matchRange(found: Uint8Array, from: number, until: number, first = 0): void {
    found.fill(wanted, from - first, until - first)
    for (const look of matchers) look(found, from, until, first)
  }
  function matchOne(index: number): number {
    matchRange(one, index, index + 1, index)
    const answer = one[0] ?? NO_MATCH
    some.set(index, answer)
    return answer
  }

  const test = (row: number) => {
    const index = text[row] ?? 0
    if (answers === null) return (some.get(index) ?? matchOne(index)) === wanted
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
  const asWords = words.map((word) =>
    createTextMatcher(word.plain === word.typed ? createWordFinder(texts, word.plain) : createLetterFinder(texts, word), texts),
  )
  const [only] = asWords
  if (only !== undefined && asWords.length === 1 && (digits === null || digits === words[0]?.plain)) return only
  const asNumber = createTextMatcher(createWordFinder(texts, digits ?? ''), texts)
  let others = new Uint8Array(0)
  return (answers, from, until, first = 0) => {
    if (others.length < answers.length) others = new Uint8Array(answers.length)
    others.set(answers.subarray(from - first, until - first), from - first)
    asNumber(answers, from, until, first)
    for (const one of asWords) one(others, from, until, first)
    for (let at = from - first; at < until - first; at++) answers[at] = Math.max(answers[at] ?? NO_MATCH, others[at] ?? NO_MATCH)
  }
}
