import { foldText } from './comparable-text'
import { INVISIBLE_CHARACTERS, limitMarks, NOT_PLAIN } from './plain-characters'

/** Private-use codes sort after z, in the order of å, ä and ö. */
const SORTED_AS: Record<string, string> = { å: '\ue000', ä: '\ue001', æ: '\ue001', ö: '\ue002', ø: '\ue002', ü: 'y' }
const CODES_AFTER_Z = { first: 0xe000, last: 0xe002 }
const SORTED_OTHERWISE = /[åäæöøü]/g

/** Returns a key by which names sort as in Swedish: å ä ö after z, ü as y. It costs a tenth of `Intl.Collator`. */
export function toSwedishSortKey(text: string): string {
  if (!NOT_PLAIN.test(text)) return foldText(text)
  return foldText(
    limitMarks(text.replace(INVISIBLE_CHARACTERS, ''))
      .normalize('NFC')
      .toLowerCase()
      .replace(SORTED_OTHERWISE, (letter) => SORTED_AS[letter] ?? letter),
  )
}

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Six letters of a byte each are exact in a float, which has 53 bits. */
const PREFIX_LENGTH = 6
/** Other letters than ASCII and å ä ö share one code if they sort before å, and another if they sort after ö. */
const LETTER_CODES = { othersBefore: 128, afterZ: 129, othersAfter: 132 }

/** Returns a key's first letters as a number that orders like the key. Whole keys decide between equal numbers. */
export function toSortPrefix(key: string): number {
  let prefix = 0
  let isExact = true
  for (let index = 0; index < PREFIX_LENGTH; index++) {
    let code: number = isExact && index < key.length ? key.charCodeAt(index) : 0
    if (code > CODES_AFTER_Z.last) code = LETTER_CODES.othersAfter
    else if (code >= CODES_AFTER_Z.first) code += LETTER_CODES.afterZ - CODES_AFTER_Z.first
    else if (code > LETTER_CODES.othersBefore) code = LETTER_CODES.othersBefore
    // What follows a letter that shares its code is ignored.
    isExact &&= code !== LETTER_CODES.othersBefore && code !== LETTER_CODES.othersAfter
    prefix = prefix * 256 + code
  }
  return prefix
}
