import { toE164 } from '@/lib/contacts/phone'
import { foldText } from './comparable-text'

/** A term matches a phone that has `digits`, or a lead with all of `words`: "070-174 22" is digits and two words. */
export type SearchTerm = { digits: string | null; words: readonly string[] }

/** Parses a search into terms, which must all match. The longest come first, because they rule out the most leads. */
export function parseSearch(query: string): SearchTerm[] {
  const words = foldText(query)
    .split(' ')
    .filter((word) => word !== '')
  const terms = groupPhonePieces(words).map((pieces): SearchTerm => {
    const longestFirst = [...new Set(pieces)].toSorted((a, b) => b.length - a.length)
    return { digits: toPhoneDigits(pieces.join(' ')), words: longestFirst }
  })
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]))
  const measureLongestWord = ({ words: [longest] }: SearchTerm) => longest?.length ?? 0
  return [...distinct.values()].toSorted((a, b) => measureLongestWord(b) - measureLongestWord(a))
}

const NON_DIGITS = /\D+/g

/** Returns the digits by which a phone is found: a Swedish one by "070-17", "+46 70 17" and "0046 70 17". */
export function toPhoneSearchText(raw: string): string {
  const number = toE164(raw)
  if (number === null) return foldText(raw).replace(NON_DIGITS, '')
  const digits = number.slice(1)
  return digits.startsWith('46') ? `${digits} 0${digits.slice(2)}` : digits
}

const PHONE_PATTERN = /^[\d\s().+\-/]+$/

/** Returns the digits of a search that can only be (a part of) a phone, as `toPhoneSearchText` has them, or null. */
function toPhoneDigits(query: string): string | null {
  if (!PHONE_PATTERN.test(query)) return null
  const digits = query.replace(NON_DIGITS, '')
  const international = digits.startsWith('00') ? digits.slice(2) : digits
  // Fewer digits would match nearly every phone.
  if (international.length < 2) return null
  return international.startsWith('460') ? `46${international.slice(3)}` : international
}

/** Groups neighbouring words that can be pieces of one phone; every other word is alone. */
function groupPhonePieces(words: readonly string[]): string[][] {
  const groups: string[][] = []
  let isPreviousPiece = false
  for (const word of words) {
    const isPiece = PHONE_PATTERN.test(word)
    if (isPiece && isPreviousPiece) groups.at(-1)?.push(word)
    else groups.push([word])
    isPreviousPiece = isPiece
  }
  return groups
}
