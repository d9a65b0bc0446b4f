import { decompose, NOT_PLAIN, UNSEEN, limitMarks } from './plain-characters'

/** Text as search compares it: lower case, without diacritics ("asa oberg" for "Åsa  Öberg"). */
export function foldText(text: string): string {
  // Most texts are plain ASCII; the general path costs ten times as much.
  return NOT_PLAIN.test(text) ? foldLetters(decompose(text).toLowerCase()) : foldAscii(text)
}

/** As `foldText`, and equally long, but å ä ö stay: to a Swede they are letters, not accents. */
export function foldAccents(text: string): string {
  if (!NOT_PLAIN.test(text)) return foldAscii(text)
  const decomposed = decompose(text).toLowerCase()
  return foldLetters(decomposed.replace(DECOMPOSED_SWEDISH, (letter) => letter.normalize('NFC')))
}

export function plainLetters(folded: string): string {
  return folded.replace(SWEDISH_LETTERS, (letter) => (letter === 'ö' ? 'o' : 'a'))
}

function foldAscii(text: string): string {
  return (text.includes('  ') ? text.replace(WHITE_SPACE, ' ') : text).trim().toLowerCase()
}

function foldLetters(decomposed: string): string {
  return decomposed
    .replace(COMBINING_MARKS, '')
    .replace(UNDECOMPOSABLE_LETTERS, (letter) => UNDECOMPOSABLE.get(letter) ?? letter)
    .replace(WHITE_SPACE, ' ')
    .trim()
}

const DECOMPOSED_SWEDISH = /a\u030a|[ao]\u0308/g
const SWEDISH_LETTERS = /[åäö]/g

const COMBINING_MARKS = /\p{M}+/gu
const WHITE_SPACE = /\p{White_Space}+/gu
/**
 * Unicode decomposes neither ligatures nor letters with a stroke, a hook or the like. Each word has a plain letter, and then the
 * letters of names that are found by it.
 */
const STROKED =
  'aɐɑⱥ bƀƃɓ cƈȼ dđƌȡɖɗð eǝɇəɛ fƒ gǥɠɣ hħɦ iıɨɩ jȷɉ kƙĸ lłƚȴ mɯ nƞȵɲŋ oøɔɵ pƥ qɋ rɍʀ sȿʃ tŧƫƭȶʈⱦ uʉʊ vʋʌ yƴɏ zƶȥɀʒƹ'
const LIGATURES = { æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ƣ: 'oi', ȣ: 'ou', ƕ: 'hv', ȸ: 'db', ȹ: 'qp' }
const UNDECOMPOSABLE = new Map([
  ...STROKED.split(' ').flatMap(([plain = '', ...letters]) => letters.map((letter) => [letter, plain] as const)),
  ...Object.entries(LIGATURES),
])
const UNDECOMPOSABLE_LETTERS = new RegExp(`[${[...UNDECOMPOSABLE.keys()].join('')}]`, 'g')

/** Keys compare as Swedish orders names: å ä ö after z, ü as y. It costs a tenth of Intl.Collator. */
export function swedishSortKey(text: string): string {
  if (!NOT_PLAIN.test(text)) return foldText(text)
  return foldText(
    limitMarks(text.replace(UNSEEN, ''))
      .normalize('NFC')
      .toLowerCase()
      .replace(RING_AND_DOTS, (letter) => AFTER_Z[letter] ?? letter),
  )
}

const AFTER_Z: Record<string, string> = {
  å: '\u{e000}',
  ä: '\u{e001}',
  æ: '\u{e001}',
  ö: '\u{e002}',
  ø: '\u{e002}',
  ü: 'y',
}
const RING_AND_DOTS = /[åäæöøü]/g

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
