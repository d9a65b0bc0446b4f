import type { LeadTable } from './lead-table'
import { type SearchTerm, searchTerms } from './search-terms'
import {
  BEGINS,
  INSIDE,
  letterFinder,
  type Look,
  lookForWord,
  lookWith,
  NO,
  type SearchTexts,
  UNKNOWN,
} from './search-texts'

export type TableSearch = {
  matches: RowTest
  /** Every term is met where a word or a phone begins. */
  beginsWords: RowTest
}

type RowTest = {
  (row: number): boolean
  /** Call it before asking about so many rows: for many, all texts are looked through at once. */
  expect: (rows: number) => void
}

const MOST_SEARCHES = 8
const searchesOf = new WeakMap<LeadTable, Map<string, TableSearch | null>>()

/** Null for an empty one. The last few of each table are kept, for the next page and the counts. */
export function tableSearch(table: LeadTable, query = ''): TableSearch | null {
  const known = searchesOf.get(table) ?? new Map<string, TableSearch | null>()
  searchesOf.set(table, known)
  const found = known.get(query)
  if (found !== undefined) return found
  const oldest = known.size < MOST_SEARCHES ? undefined : known.keys().next().value
  if (oldest !== undefined) known.delete(oldest)
  const looks = searchTerms(query).map((term) => lookForTerm(table.texts, term))
  const search =
    looks.length === 0 ? null : { matches: rowTest(table, looks, INSIDE), beginsWords: rowTest(table, looks, BEGINS) }
  known.set(query, search)
  return search
}

/** Fewer texts are looked at one by one. */
const FEW = 1 / 8
/** And for fewer still no room for all answers is taken. */
const VERY_FEW = 1 / 64

/** Each text is looked at once, however many leads have it. */
function rowTest({ text, texts, size }: LeadTable, looks: readonly Look[], wanted: number): RowTest {
  const some = new Map<number, number>()
  const one = new Uint8Array(1)
  let answers: Uint8Array | null = null
  let isLookedThrough = false

  function lookAt(found: Uint8Array, from: number, until: number, first = 0): void {
    found.fill(wanted, from - first, until - first)
    for (const look of looks) look(found, from, until, first)
  }
  function answerAlone(its: number): number {
    lookAt(one, its, its + 1, its)
    const answer = one[0] ?? NO
    some.set(its, answer)
    return answer
  }

  const test = (row: number) => {
    const its = text[row] ?? 0
    if (answers === null) return (some.get(its) ?? answerAlone(its)) === wanted
    if (answers[its] === UNKNOWN) lookAt(answers, its, its + 1)
    return answers[its] === wanted
  }
  const expect = (rows: number) => {
    if (isLookedThrough || rows < size * VERY_FEW) return
    answers ??= new Uint8Array(texts.count)
    if (rows < size * FEW) return
    lookAt(answers, 0, texts.count)
    isLookedThrough = true
  }
  return Object.assign(test, { expect })
}

function lookForTerm(texts: SearchTexts, { digits, words }: SearchTerm): Look {
  const asWords = words.map((word) =>
    word.plain === word.typed ? lookForWord(texts, word.plain) : lookWith(letterFinder(texts, word), texts),
  )
  const [only] = asWords
  if (only !== undefined && asWords.length === 1 && (digits === null || digits === words[0]?.plain)) return only
  const asNumber = lookForWord(texts, digits ?? '')
  let others = new Uint8Array(0)
  return (answers, from, until, first = 0) => {
    if (others.length < answers.length) others = new Uint8Array(answers.length)
    others.set(answers.subarray(from - first, until - first), from - first)
    asNumber(answers, from, until, first)
    for (const one of asWords) one(others, from, until, first)
    for (let at = from - first; at < until - first; at++) answers[at] = Math.max(answers[at] ?? NO, others[at] ?? NO)
  }
}
