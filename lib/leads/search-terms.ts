import { toE164 } from '@/lib/contacts/phone'
import { foldAccents, foldText, plainLetters } from './comparable-text'

/** `typed` has å ä ö as they were typed, `plain` has a and o instead. */
export type SearchWord = { plain: string; typed: string }

/** `digits` must be in the phone, or else every one of `words`: "070-174 22" has digits and two words. */
export type SearchTerm = { digits: string | null; words: readonly SearchWord[] }

/** The terms of a search, all of which must be met; the quickest to rule out first. */
export function parseSearch(query: string): SearchTerm[] {
  const words = foldAccents(query)
    .split(' ')
    .filter((word) => word !== '')
  const terms = groupPhonePieces(words).flatMap((pieces): SearchTerm[] => {
    // Pieces of one number are one term.
    const digits = phoneQueryDigits(pieces.join(' '))
    const longestFirst = [...new Set(pieces)].toSorted((a, b) => b.length - a.length)
    const found = longestFirst.map((typed): SearchWord => ({ plain: plainLetters(typed), typed }))
    return digits === null ? found.map((word) => ({ digits, words: [word] })) : [{ digits, words: found }]
  })
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]))
  return [...distinct.values()].toSorted((a, b) => rank(b) - rank(a))
}

/** The quickest to rule out rank highest: words with å ä ö cost least and numbers most, and long words are rare. */
function rank({ digits, words: [first] }: SearchTerm): number {
  if (digits !== null || first === undefined) return (digits ?? '').length
  return first.plain.length + (first.plain === first.typed ? MAX_LENGTH : 2 * MAX_LENGTH)
}

const MAX_LENGTH = 1000

const NON_DIGITS = /\D+/g

/** A phone as it is searched: international and, in Sweden, national too, so that "070-17", "+46 70 17" and "0046 70 17" match. */
export function phoneSearchText(raw: string): string {
  const number = toE164(raw)
  if (number === null) return foldText(raw).replace(NON_DIGITS, '')
  const digits = number.slice(1)
  return digits.startsWith('46') ? `${digits} 0${digits.slice(2)}` : digits
}

const PHONE_LIKE = /^[\d\s().+\-/]+$/

/** The digits of a search that can only be (a part of) a phone, in the form of `phoneSearchText`; null for other text. */
export function phoneQueryDigits(query: string): string | null {
  if (!PHONE_LIKE.test(query)) return null
  const digits = query.replace(NON_DIGITS, '')
  const international = digits.startsWith('00') ? digits.slice(2) : digits
  // Every phone has what is left of "00" or "004".
  if (international.length < 2) return null
  return international.startsWith('460') ? `46${international.slice(3)}` : international
}

/** Words in groups: neighbours that can be pieces of one phone are together, other words alone. */
export function groupPhonePieces(words: readonly string[]): string[][] {
  const pieces: string[][] = []
  let before = false
  for (const word of words) {
    const isPiece = PHONE_LIKE.test(word)
    if (isPiece && before) pieces.at(-1)?.push(word)
    else pieces.push([word])
    before = isPiece
  }
  return pieces
}
