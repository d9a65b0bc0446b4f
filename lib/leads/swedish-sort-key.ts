import { foldText } from './comparable-text'
import { INVISIBLE_CHARACTERS, limitMarks, NOT_PLAIN } from './plain-characters'

/** These private-use codes sort after z. */
const AFTER_Z: Record<string, string> = { å: '\ue000', ä: '\ue001', æ: '\ue001', ö: '\ue002', ø: '\ue002', ü: 'y' }
const CODES_AFTER_Z = { first: 0xe000, last: 0xe002 }
const RING_AND_DOTS = /[åäæöøü]/g

/** Returns a key by which names sort as in Swedish: å ä ö after z, ü as y. It costs a tenth of `Intl.Collator`. */
export function toSwedishSortKey(text: string): string {
  if (!NOT_PLAIN.test(text)) return foldText(text)
  return foldText(
    limitMarks(text.replace(INVISIBLE_CHARACTERS, ''))
      .normalize('NFC')
      .toLowerCase()
      .replace(RING_AND_DOTS, (letter) => AFTER_Z[letter] ?? letter),
  )
}

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Six letters of a byte each are exact in a float, which has 53 bits. */
const PREFIX_LENGTH = 6
/** Letters that are neither ASCII nor å ä ö share a number on either side of å ä ö. */
const LETTER_NUMBERS = { othersBefore: 128, afterZ: 129, othersAfter: 132 }

/** Returns a key's first letters as a number that orders like the key. Whole keys decide between equal numbers. */
export function toSortPrefix(key: string): number {
  let prefix = 0
  let isExact = true
  for (let index = 0; index < PREFIX_LENGTH; index++) {
    let number: number = isExact && index < key.length ? key.charCodeAt(index) : 0
    if (number > CODES_AFTER_Z.last) number = LETTER_NUMBERS.othersAfter
    else if (number >= CODES_AFTER_Z.first) number += LETTER_NUMBERS.afterZ - CODES_AFTER_Z.first
    else if (number > LETTER_NUMBERS.othersBefore) number = LETTER_NUMBERS.othersBefore
    // What follows a letter that shares its number is ignored.
    isExact &&= number !== LETTER_NUMBERS.othersBefore && number !== LETTER_NUMBERS.othersAfter
    prefix = prefix * 256 + number
  }
  return prefix
}
