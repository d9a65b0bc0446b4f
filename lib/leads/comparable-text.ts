import { decompose, NOT_PLAIN } from './plain-characters'

/** Makes a text comparable for search: lower case without diacritics, so "Åsa  Öberg" becomes "asa oberg". */
export function foldText(text: string): string {
  // Most texts are plain ASCII; the general path costs ten times as much.
  return NOT_PLAIN.test(text) ? foldLetters(decompose(text).toLowerCase()) : foldAscii(text)
}

const WHITE_SPACE = /\p{White_Space}+/gu

function foldAscii(text: string): string {
  return (text.includes('  ') ? text.replace(WHITE_SPACE, ' ') : text).trim().toLowerCase()
}

const COMBINING_MARKS = /\p{M}+/gu
/** Unicode does not decompose these letters. The first of each group is the one to which the others are folded. */
const STROKED =
  'aɐɑⱥ bƀƃɓ cƈȼ dđƌȡɖɗð eǝɇəɛ fƒ gǥɠɣ hħɦ iıɨɩ jȷɉ kƙĸ lłƚȴ mɯ nƞȵɲŋ oøɔɵ pƥ qɋ rɍʀ sȿʃ tŧƫƭȶʈⱦ uʉʊ vʋʌ yƴɏ zƶȥɀʒƹ'
const LIGATURES = { æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ƣ: 'oi', ȣ: 'ou', ƕ: 'hv', ȸ: 'db', ȹ: 'qp' }
const UNDECOMPOSABLE = new Map([
  ...STROKED.split(' ').flatMap(([plain = '', ...letters]) => letters.map((letter) => [letter, plain] as const)),
  ...Object.entries(LIGATURES),
])
const UNDECOMPOSABLE_LETTERS = new RegExp(`[${[...UNDECOMPOSABLE.keys()].join('')}]`, 'g')

function foldLetters(decomposed: string): string {
  return decomposed
    .replace(COMBINING_MARKS, '')
    .replace(UNDECOMPOSABLE_LETTERS, (letter) => UNDECOMPOSABLE.get(letter) ?? letter)
    .replace(WHITE_SPACE, ' ')
    .trim()
}
