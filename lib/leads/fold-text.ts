const COMBINING_MARKS = /\p{M}+/gu
const WHITE_SPACE = /\s+/gu
const NON_ASCII = /[^\u0020-\u007e]/
const UNDECOMPOSABLE: Record<string, string> = { æ: 'ae', ø: 'o', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }
const UNDECOMPOSABLE_LETTERS = /[æøœßłđðþ]/g

/** Text as search compares it: lower case, without diacritics ("Åsa  Öberg" and "asa oberg" are the same). */
export function foldText(text: string): string {
  // Most names and addresses are plain ASCII; the general path costs ten times as much.
  if (!NON_ASCII.test(text)) return (text.includes('  ') ? text.replace(WHITE_SPACE, ' ') : text).trim().toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(COMBINING_MARKS, '')
    .replace(UNDECOMPOSABLE_LETTERS, (letter) => UNDECOMPOSABLE[letter] ?? letter)
    .replace(WHITE_SPACE, ' ')
    .trim()
}
