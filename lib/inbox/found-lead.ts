import { foldAccents, plainLetters } from '@/lib/leads/comparable-text'
import { type SearchTerm, searchTerms, type SearchWord } from '@/lib/leads/search-terms'
import { headingOf, isQuestion, type Named, oneLine, OPENING_LENGTH, openingOf, waysBesideHeading } from './lead-text'

export type FoundLead = {
  heading: readonly TextPart[]
  question: readonly TextPart[] | null
  ways: readonly (readonly TextPart[])[]
}

export function foundLead(item: Named, query: string): FoundLead {
  const terms = searchTerms(query)
  const heading = headingOf(item) ?? { is: 'name', text: '' }
  const question = isQuestion(item) ? { is: 'question', text: openingAround(item.question, terms) } : null
  // A question is not found by a name that comes from other leads.
  const isOwn = question === null || heading.is !== 'name'
  const seen = question === null ? null : { ...question, text: question.text.slice(0, SURE) }
  let unseen = isOwn ? unmet(heading, terms) : terms
  if (seen !== null) unseen = unmet(seen, unseen)
  const ways: (readonly TextPart[])[] = []
  for (const way of waysBesideHeading(item)) {
    const still = unmet(way, unseen)
    if (still.length < unseen.length) ways.push(shownParts(way, terms))
    unseen = still
  }
  return { heading: shownParts(heading, terms), question: question && shownParts(question, terms), ways }
}

type Shown = { is: string; text: string }

function shownParts(shown: Shown, terms: readonly SearchTerm[]): TextPart[] {
  return markedParts(shown.text, read(shown), terms)
}

function read({ is, text }: Shown): ReadText {
  return is === 'phone' ? readPhone(text) : readText(text)
}

function unmet(shown: Shown, terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const found = meetings(read(shown), terms)
  return terms.filter((_, at) => found[at]?.length === 0)
}

const SURE = 36
const BEFORE = 18

/** The opening of a question, or the text around the first match if the opening does not show it. */
export function openingAround(question: string, terms: readonly SearchTerm[]): string {
  const line = oneLine(question)
  const [first] = meetings(readText(line), terms)
    .flat()
    .toSorted(([a], [b]) => a - b)
  if (first === undefined || first[1] <= SURE) return openingOf(line)
  const from = wordBetween(line, Math.max(0, first[0] - BEFORE), first[0])
  return `… ${openingOf(line.slice(from, from + 2 * OPENING_LENGTH))}`
}

/** A match further into a word would not show if the row began with that word. */
const DEEP = 26

function wordBetween(line: string, from: number, match: number): number {
  const space = line.indexOf(' ', from)
  if (space !== -1 && space < match) return space + 1
  const word = line.lastIndexOf(' ', match) + 1
  return match - word <= DEEP ? word : match
}

export type TextPart = { text: string; match: boolean; at: number }

/** Cuts a text into matches and the rest, as the server's search compares: "asa" marks "Åsa". */
export function matchRanges(text: string, query: string): TextPart[] {
  return markedParts(text, readText(text), searchTerms(query))
}

/** The same for a phone: only digits are compared, with or without the country code. */
export function phoneMatchRanges(phone: string, query: string): TextPart[] {
  return markedParts(phone, readPhone(phone), searchTerms(query))
}

function markedParts(text: string, spellings: ReadText, terms: readonly SearchTerm[]): TextPart[] {
  return partsOf(text, meetings(spellings, terms).flat())
}

type Range = readonly [from: number, until: number]

/** Where each term matches. A number matches whole, or else its pieces do. */
function meetings(spellings: ReadText, terms: readonly SearchTerm[]): Range[][] {
  return terms.map(({ digits, words }) => {
    const whole = digits === null ? [] : rangesOf(spellings, { plain: digits, typed: digits })
    return whole.length > 0 ? whole : words.flatMap((word) => rangesOf(spellings, word))
  })
}

type ReadText = readonly Spelling[]
type Spelling = { folded: string; plain: string; from: number[]; until: number[] }

function readText(text: string): ReadText {
  return [
    spelling(text, CHARACTERS, (character) => (/^\p{White_Space}/u.test(character) ? ' ' : foldAccents(character))),
  ]
}

/** National, and with the country code in place of the zero. */
function readPhone(phone: string): ReadText {
  const national = spelling(phone, /\d/g, (digit) => digit)
  if (!national.plain.startsWith('0')) return [national]
  const international = spelling(phone, /\d/g, (digit, index) => (index === 0 ? '46' : digit))
  return [national, international]
}

/** A character with the accents that follow it. */
const CHARACTERS = /\P{M}\p{M}*|\p{M}+/gu

function spelling(text: string, pieces: RegExp, fold: (piece: string, index: number) => string): Spelling {
  const from: number[] = []
  const until: number[] = []
  let folded = ''
  let index = 0
  for (const { 0: piece, index: at } of text.matchAll(pieces)) {
    const letters = fold(piece, index++)
    folded += letters
    for (let letter = 0; letter < letters.length; letter++) {
      from.push(at)
      until.push(at + piece.length)
    }
  }
  return { folded, plain: plainLetters(folded), from, until }
}

function rangesOf(spellings: ReadText, { plain, typed }: SearchWord): Range[] {
  return spellings.flatMap((text) => {
    const ranges: Range[] = []
    for (let at = text.plain.indexOf(plain); at !== -1; at = text.plain.indexOf(plain, at + 1)) {
      if (hasTyped(text.folded, at, plain, typed))
        ranges.push([text.from[at] ?? 0, text.until[at + plain.length - 1] ?? 0])
    }
    return ranges
  })
}

/** A typed å, ä or ö matches only itself. */
function hasTyped(folded: string, at: number, plain: string, typed: string): boolean {
  for (let letter = 0; letter < typed.length; letter++) {
    if (typed[letter] !== plain[letter] && typed[letter] !== folded[at + letter]) return false
  }
  return true
}

function partsOf(text: string, ranges: readonly Range[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const [from, until] of joined(ranges)) {
    if (from > at) parts.push({ text: text.slice(at, from), match: false, at })
    parts.push({ text: text.slice(from, until), match: true, at: from })
    at = until
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at), match: false, at })
  return parts
}

function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const [from, until] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last === undefined || from > last[1]) all.push([from, until])
    else all[all.length - 1] = [last[0], Math.max(last[1], until)]
  }
  return all
}
