import { foldAccents, plainLetters } from '@/lib/leads/comparable-text'
import { type SearchTerm, parseSearch, type SearchWord } from '@/lib/leads/search-terms'
import {
  headingOf,
  isQuestion,
  type LeadWithPerson,
  oneLine,
  OPENING_LENGTH,
  openingOf,
  type PersonDetail,
  detailsBesideHeading,
} from './lead-text'

/** `start`: where in its text the part begins. */
export type TextPart = { text: string; isMatch: boolean; start: number }

/** What a row shows of a lead that a search has found, cut into matches and the rest. */
export type HighlightedLead = {
  heading: readonly TextPart[]
  question: readonly TextPart[] | null
  /** The addresses and phones beside the heading that met what the row would not show otherwise. */
  details: readonly (readonly TextPart[])[]
}

export function highlightLead(item: LeadWithPerson, query: string): HighlightedLead {
  const terms = parseSearch(query)
  const heading = headingOf(item) ?? { kind: 'name' as const, text: '' }
  const question = isQuestion(item) ? excerptAround(item.question, terms) : null
  const spellingsOf = ({ kind, text }: PersonDetail) => (kind === 'phone' ? phoneSpellings(text) : textSpellings(text))
  const mark = (shown: PersonDetail) => highlightMatches(shown.text, spellingsOf(shown), terms)
  let remainingTerms: readonly SearchTerm[] = terms
  const takeMatchedTerms = (spellings: readonly Spelling[]): boolean => {
    const before = remainingTerms.length
    remainingTerms = remainingTerms.filter((term) => findRanges(spellings, term).length === 0)
    return remainingTerms.length < before
  }
  // A question is not found by a name that comes from other leads.
  if (question === null || heading.kind !== 'name') takeMatchedTerms(spellingsOf(heading))
  if (question !== null) takeMatchedTerms(textSpellings(question.slice(0, ALWAYS_VISIBLE_LENGTH)))
  const ways = detailsBesideHeading(item).filter((way) => takeMatchedTerms(spellingsOf(way)))
  return {
    heading: mark(heading),
    question: question === null ? null : highlightMatches(question, textSpellings(question), terms),
    details: ways.map(mark),
  }
}

/** So many characters of a question are in sight however narrow the row is. */
const ALWAYS_VISIBLE_LENGTH = 36
/** A row that begins further in shows so much before the match. */
const SHOWN_BEFORE = 18
/** A match further into a word would not show if the row began with that word. */
const MAX_WORD_BEFORE = 26

/** The opening of a question, or the text around the first match if the opening does not show it. */
export function excerptAround(question: string, terms: readonly SearchTerm[]): string {
  const line = oneLine(question)
  const spellings = textSpellings(line)
  const [first] = terms.flatMap((term) => findRanges(spellings, term)).toSorted(([a], [b]) => a - b)
  if (first === undefined || first[1] <= ALWAYS_VISIBLE_LENGTH) return openingOf(line)
  const [match] = first
  const space = line.indexOf(' ', Math.max(0, match - SHOWN_BEFORE))
  const word = line.lastIndexOf(' ', match) + 1
  const wordOrMatch = match - word <= MAX_WORD_BEFORE ? word : match
  const start = space !== -1 && space < match ? space + 1 : wordOrMatch
  return `… ${openingOf(line.slice(start, start + 2 * OPENING_LENGTH))}`
}

/** Cuts a text into matches and the rest, as the server's search compares: "asa" marks "Åsa". */
export function highlightText(text: string, query: string): TextPart[] {
  return highlightMatches(text, textSpellings(text), parseSearch(query))
}

/** The same for a phone: only digits are compared, with or without the country code. */
export function highlightPhone(phone: string, query: string): TextPart[] {
  return highlightMatches(phone, phoneSpellings(phone), parseSearch(query))
}

function highlightMatches(text: string, spellings: readonly Spelling[], terms: readonly SearchTerm[]): TextPart[] {
  const matched = new Set<number>()
  for (const [start, end] of terms.flatMap((term) => findRanges(spellings, term)))
    for (let place = start; place < end; place++) matched.add(place)
  const parts: TextPart[] = []
  for (let start = 0, end = 0; start < text.length || parts.length === 0; start = end) {
    const match = matched.has(start)
    do end += 1
    while (end < text.length && matched.has(end) === match)
    parts.push({ text: text.slice(start, end), isMatch: match, start })
  }
  return parts
}

type Range = readonly [start: number, end: number]

/** Where a term matches. A number matches whole, or else its pieces do. */
function findRanges(spellings: readonly Spelling[], { digits, words }: SearchTerm): Range[] {
  const find = ({ plain, typed }: SearchWord): Range[] =>
    spellings.flatMap((text) => {
      const ranges: Range[] = []
      for (let found = text.plain.indexOf(plain); found !== -1; found = text.plain.indexOf(plain, found + 1)) {
        // A typed å, ä or ö matches only itself.
        const isAsTyped = typed
          .split('')
          .every((letter, place) => letter === plain[place] || letter === text.folded[found + place])
        if (isAsTyped) ranges.push([text.starts[found] ?? 0, text.ends[found + plain.length - 1] ?? 0])
      }
      return ranges
    })
  const whole = digits === null ? [] : find({ plain: digits, typed: digits })
  return whole.length > 0 ? whole : words.flatMap(find)
}

/** A text as it is compared: of each letter, where the character that it comes from starts and ends. */
type Spelling = { folded: string; plain: string; starts: number[]; ends: number[] }

function textSpellings(text: string): Spelling[] {
  // A character with the accents that follow it.
  const characters = /\P{M}\p{M}*|\p{M}+/gu
  return [spell(text, characters, (one) => (/^\p{White_Space}/u.test(one) ? ' ' : foldAccents(one)))]
}

/** National, and with the country code in place of the zero. */
function phoneSpellings(phone: string): Spelling[] {
  const national = spell(phone, /\d/g, (digit) => digit)
  if (!national.plain.startsWith('0')) return [national]
  return [national, spell(phone, /\d/g, (digit, index) => (index === 0 ? '46' : digit))]
}

function spell(text: string, pieces: RegExp, fold: (piece: string, index: number) => string): Spelling {
  const [starts, ends]: [number[], number[]] = [[], []]
  let folded = ''
  for (const [index, { 0: piece, index: start }] of [...text.matchAll(pieces)].entries()) {
    const letters = fold(piece, index)
    folded += letters
    for (let letter = 0; letter < letters.length; letter++) {
      starts.push(start)
      ends.push(start + piece.length)
    }
  }
  return { folded, plain: plainLetters(folded), starts, ends }
}
