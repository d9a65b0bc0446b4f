import { foldAccents } from '@/lib/leads/comparable-text'
import { composeLetters } from '@/lib/leads/plain-characters'

/** These have the codes 0x80 to 0x9f; all other codes are Latin-1 (WHATWG Encoding, index windows-1252). */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const codes = new Map([...HIGH].map((character, index) => [character, 0x80 + index]))
const OUTSIDE = new RegExp(`[^\\0-\\x7f\\xa0-\\xff${HIGH}]`, 'gu')

/**
 * Writes the text in characters that Windows-1252 has: letters composed, else the nearest letter, and a question mark only for
 * what has none. It comes before a cell is quoted, because the nearest may be a sign that spreadsheets obey.
 */
export function fitWindows1252(text: string): string {
  return composeLetters(text).replace(OUTSIDE, (character) => {
    // The letters keep white space, which is dropped at an end.
    const folded = foldAccents(`x${character}x`).slice(1, -1).replace(OUTSIDE, '?')
    return character === character.toLowerCase() ? folded : folded.toUpperCase()
  })
}

export function encodeWindows1252(text: string): Uint8Array {
  return Uint8Array.from(text.replace(OUTSIDE, '?'), (character) => {
    return codes.get(character) ?? character.charCodeAt(0)
  })
}
