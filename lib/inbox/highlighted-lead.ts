import { foldText } from '@/lib/leads/comparable-text'
import { parseSearch, type SearchTerm } from '@/lib/leads/search-terms'
import {
  cutOpening,
  isQuestion,
  type LeadWithPerson,
  listPersonDetails,
  toOneLine,
  OPENING_LENGTH,
  type PersonDetail,
} from './lead-text'

export type TextPart = { text: string; isMatch: boolean; start: number }

export type HighlightedLead = {
  heading: readonly TextPart[]
  question: readonly TextPart[] | null
  /** The e-mail address or phone that matches, if the heading and the question do not. */
  details: readonly (readonly TextPart[])[]
}

/** Even the narrowest row shows this many characters of a question. */
const ALWAYS_VISIBLE_LENGTH = 36
/** An excerpt begins at the first word within this distance before the match, or else at the match. */
const MAX_CONTEXT_LENGTH = 18

const NO_HEADING: PersonDetail = { kind: 'name', text: '' }

export function highlightLead(item: LeadWithPerson, query: string): HighlightedLead {
  const terms = parseSearch(query)
  const [heading = NO_HEADING, ...otherDetails] = listPersonDetails(item)
  const question = isQuestion(item) ? excerptAround(item.question, terms) : null
  const toVariants = ({ kind, text }: PersonDetail) => (kind === 'phone' ? toPhoneVariants(text) : toTextVariants(text))
  const highlight = (detail: PersonDetail) => highlightMatches(detail.text, toVariants(detail), terms)
  const headingParts = highlight(heading)
  const questionParts = question === null ? null : highlightMatches(question, toTextVariants(question), terms)
  const hasMatch = (parts: readonly TextPart[]) => parts.some(({ isMatch }) => isMatch)
  const isMatchShown = hasMatch([...headingParts, ...(questionParts ?? [])])
  const details = isMatchShown ? [] : otherDetails.map(highlight).filter(hasMatch)
  return { heading: headingParts, question: questionParts, details }
}

/** Returns the opening, or the text around the first match if the opening does not show it. */
function excerptAround(question: string, terms: readonly SearchTerm[]): string {
  const line = toOneLine(question)
  const variants = toTextVariants(line)
  const [first] = terms.flatMap((term) => findRanges(variants, term)).toSorted(([a], [b]) => a - b)
  if (first === undefined || first[1] <= ALWAYS_VISIBLE_LENGTH) return cutOpening(line)
  const [matchStart] = first
  const spaceIndex = line.indexOf(' ', matchStart - MAX_CONTEXT_LENGTH)
  const start = spaceIndex !== -1 && spaceIndex < matchStart ? spaceIndex + 1 : matchStart
  return `… ${cutOpening(line.slice(start, start + 2 * OPENING_LENGTH))}`
}

/** Cuts a text into matches and the rest, as the server's search compares: "asa" matches "Åsa". */
export function highlightText(text: string, query: string): TextPart[] {
  return highlightMatches(text, toTextVariants(text), parseSearch(query))
}

/** Only the digits of a phone are compared, with or without country code. */
export function highlightPhone(phone: string, query: string): TextPart[] {
  return highlightMatches(phone, toPhoneVariants(phone), parseSearch(query))
}

function highlightMatches(text: string, variants: readonly TextVariant[], terms: readonly SearchTerm[]): TextPart[] {
  const isMatched = Array<boolean>(text.length).fill(false)
  for (const [start, end] of terms.flatMap((term) => findRanges(variants, term))) isMatched.fill(true, start, end)
  const isStart = (index: number) => index === 0 || isMatched[index] !== isMatched[index - 1]
  const starts = [...isMatched.keys()].filter(isStart)
  return starts.map((start, index) => {
    return { text: text.slice(start, starts[index + 1]), isMatch: isMatched[start] === true, start }
  })
}

type Range = readonly [start: number, end: number]

/** Finds where a term's whole number matches, or else its words. */
function findRanges(variants: readonly TextVariant[], { digits, words }: SearchTerm): Range[] {
  const findWord = (word: string) =>
    variants.flatMap(({ folded, sourceRanges }) => {
      const ranges: Range[] = []
      for (let index = folded.indexOf(word); index !== -1; index = folded.indexOf(word, index + 1))
        ranges.push([sourceRanges[index]?.start ?? 0, sourceRanges[index + word.length - 1]?.end ?? 0])
      return ranges
    })
  const wholeNumber = digits === null ? [] : findWord(digits)
  return wholeNumber.length > 0 ? wholeNumber : words.flatMap(findWord)
}

/** `folded` is a text as the search compares it; each of its letters has the range of its original character. */
type TextVariant = { folded: string; sourceRanges: readonly { start: number; end: number }[] }

function toTextVariants(text: string): TextVariant[] {
  const characterWithAccents = /\P{M}\p{M}*|\p{M}+/gu
  const fold = (piece: string) => (/^\p{White_Space}/u.test(piece) ? ' ' : foldText(piece))
  return [toVariant(text, characterWithAccents, fold)]
}

/** Returns the national number, and the one with the country code in place of the zero. */
function toPhoneVariants(phone: string): TextVariant[] {
  const national = toVariant(phone, /\d/g, (digit) => digit)
  if (!national.folded.startsWith('0')) return [national]
  return [national, toVariant(phone, /\d/g, (digit, index) => (index === 0 ? '46' : digit))]
}

function toVariant(text: string, pattern: RegExp, fold: (piece: string, index: number) => string): TextVariant {
  const letters = [...text.matchAll(pattern)].flatMap(({ 0: piece, index: start }, index) => {
    const end = start + piece.length
    return fold(piece, index)
      .split('')
      .map((letter) => ({ letter, start, end }))
  })
  return { folded: letters.map(({ letter }) => letter).join(''), sourceRanges: letters }
}
