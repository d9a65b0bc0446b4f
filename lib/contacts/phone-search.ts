import { toE164 } from './phone'

const NON_DIGITS = /\D+/g

/**
 * The digits to search a phone by: international, and for Sweden national, so that "070-17", "+46 70 17" and "0046 70 17"
 * all meet it once their own separators are gone (`phoneQueryDigits`).
 */
export function phoneSearchText(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw.replace(NON_DIGITS, '')
  const digits = number.slice(1)
  return digits.startsWith('46') ? `${digits} 0${digits.slice(2)}` : digits
}

const PHONE_LIKE = /^[\d\s().+\-\u2010-\u2015/]+$/

/** The digits of a search that can only be (a part of) a phone, in the form `phoneSearchText` stores; null for other text. */
export function phoneQueryDigits(query: string): string | null {
  if (!PHONE_LIKE.test(query)) return null
  const digits = query.replace(NON_DIGITS, '')
  const international = digits.startsWith('00') ? digits.slice(2) : digits
  // Of "00" or "004" hardly anything is left, and every phone would have it.
  if (international.length < 2) return null
  return international.startsWith('460') ? `46${international.slice(3)}` : international
}

/** The words of a search, those in a row that can be pieces of one phone put together. */
export function phonePieces(words: readonly string[]): string[][] {
  const groups: string[][] = []
  let before = false
  for (const word of words) {
    const isPiece = PHONE_LIKE.test(word)
    if (isPiece && before) groups.at(-1)?.push(word)
    else groups.push([word])
    before = isPiece
  }
  return groups
}
