import { foldAccents, plainLetters } from '@/lib/leads/comparable-text'
import { type SearchTerm, searchTerms, type SearchWord } from '@/lib/leads/search-terms'

export type TextPart = { text: string; match: boolean; /** Where in the text it begins. */ at: number }

/** A text cut into what a search met and what it did not, as the server's search compares: "asa" marks "Åsa". */
export function matchRanges(text: string, query: string): TextPart[] {
  return markedParts(text, readText(text), searchTerms(query))
}

/** The same for a phone: digits are compared, whatever stands between them, with or without the country code. */
export function phoneMatchRanges(phone: string, query: string): TextPart[] {
  return markedParts(phone, readPhone(phone), searchTerms(query))
}

/** A text that has been read, cut likewise. */
export function markedParts(text: string, read: ReadText, terms: readonly SearchTerm[]): TextPart[] {
  return partsOf(text, meetings(read, terms).flat())
}

/** A stretch of a text, its end not included. */
type Range = readonly [from: number, until: number]

/** Where each of the terms is met in a text or phone. A number is met whole, or else its pieces are. */
export function meetings(read: ReadText, terms: readonly SearchTerm[]): Range[][] {
  return terms.map(({ digits, words }) => {
    const whole = digits === null ? [] : rangesOf(read, { plain: digits, typed: digits })
    return whole.length > 0 ? whole : words.flatMap((word) => rangesOf(read, word))
  })
}

/** What a text is searched as: each spelling knows for each of its characters where in the original it came from. */
export type ReadText = readonly Spelling[]
type Spelling = { folded: string; plain: string; from: number[]; until: number[] }

export function readText(text: string): ReadText {
  return [spelling(text, CHARACTERS, (character) => (/^\s/u.test(character) ? ' ' : foldAccents(character)))]
}

/** By its digits as they are shown, and with the country code where the zero stands. */
export function readPhone(phone: string): ReadText {
  const national = spelling(phone, /\d/g, (digit) => digit)
  if (!national.plain.startsWith('0')) return [national]
  const international = spelling(phone, /\d/g, (digit, index) => (index === 0 ? '46' : digit))
  return [national, international]
}

/** A character with the accents that follow it: only together are they one letter. */
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

function rangesOf(read: ReadText, { plain, typed }: SearchWord): Range[] {
  return read.flatMap((text) => {
    const ranges: Range[] = []
    for (let at = text.plain.indexOf(plain); at !== -1; at = text.plain.indexOf(plain, at + 1)) {
      if (hasTyped(text.folded, at, plain, typed))
        ranges.push([text.from[at] ?? 0, text.until[at + plain.length - 1] ?? 0])
    }
    return ranges
  })
}

/** A typed å, ä or ö must stand there; anything else may be written with them. */
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

/** In order, those that touch as one. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const [from, until] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last === undefined || from > last[1]) all.push([from, until])
    else all[all.length - 1] = [last[0], Math.max(last[1], until)]
  }
  return all
}
