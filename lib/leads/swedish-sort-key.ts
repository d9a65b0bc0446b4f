import { foldText } from './fold-text'

const AFTER_Z: Record<string, string> = {
  å: '\u{e000}',
  ä: '\u{e001}',
  æ: '\u{e001}',
  ö: '\u{e002}',
  ø: '\u{e002}',
  ü: 'y',
}
const RING_AND_DOTS = /[åäæöøü]/g
const ONLY_ASCII = /^[\u0020-\u007e]*$/

/**
 * A text whose plain comparison orders as Swedish does: å ä ö after z, ü as y, case and other accents aside.
 * Keys instead of Intl.Collator, because a comparison of keys costs a tenth and 75 000 names are ordered at once.
 */
export function swedishSortKey(text: string): string {
  if (ONLY_ASCII.test(text)) return foldText(text)
  return foldText(
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(RING_AND_DOTS, (letter) => AFTER_Z[letter] ?? letter),
  )
}

/** Orders by key, smallest code unit first. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
