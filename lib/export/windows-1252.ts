import { foldText } from '@/lib/leads/comparable-text'
import { composeLetters } from '@/lib/leads/plain-characters'

/** These have the codes 0x80 to 0x9f; all other codes are Latin-1 (WHATWG Encoding, index windows-1252). */
const HIGH_CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const CODE_BY_CHARACTER = new Map([...HIGH_CHARACTERS].map((character, index) => [character, 0x80 + index]))
const UNENCODABLE = new RegExp(`[^\\0-\\x7f\\xa0-\\xff${HIGH_CHARACTERS}]`, 'gu')

/** Replaces what Windows-1252 lacks by the nearest letter or `?`. Cells are escaped later: it may begin a formula. */
export function fitWindows1252(text: string): string {
  return composeLetters(text).replace(UNENCODABLE, (character) => {
    // Of several marks a letter keeps the first: Ǻ is nearest to Å.
    const withOneMark = character.normalize('NFD').slice(0, 2).normalize('NFC')
    if (withOneMark.search(UNENCODABLE) === -1) return withOneMark
    // `foldText` trims white space, so the character stands between two letters.
    const folded = foldText(`x${character}x`).slice(1, -1).replace(UNENCODABLE, '?')
    return character === character.toLowerCase() ? folded : folded.toUpperCase()
  })
}

export function encodeWindows1252(text: string): Uint8Array {
  return Uint8Array.from(text.replace(UNENCODABLE, '?'), (character) => {
    return CODE_BY_CHARACTER.get(character) ?? character.charCodeAt(0)
  })
}
