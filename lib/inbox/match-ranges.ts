import { phoneQueryDigits } from '@/lib/contacts/phone-search'
import { foldText } from '@/lib/leads/comparable-text'

export type TextPart = { text: string; match: boolean; /** Where in the text it begins. */ at: number }

/** A text cut into what a search met and what it did not, as the server's search compares: "asa" marks "Åsa". */
export function matchRanges(text: string, query: string): TextPart[] {
  const words = foldText(query)
    .split(' ')
    .filter((word) => word !== '')
  if (words.length === 0 || text === '') return [{ text, match: false, at: 0 }]
  return parts(text, marksOf(foldByCharacter(text), words, text.length))
}

/** The same for a phone: digits are compared, whatever stands between them, with or without the country code. */
export function phoneMatchRanges(phone: string, query: string): TextPart[] {
  const digits = phoneQueryDigits(foldText(query))
  if (digits === null) return matchRanges(phone, query)
  const shown = keepDigits(phone)
  const wanted = [digits, digits.replace(/^46/, '0')].find((form) => shown.text.includes(form))
  return parts(phone, wanted === undefined ? [] : marksOf(shown, [wanted], phone.length, true))
}

/** A transformed text that knows for each of its characters where in the original it came from. */
type Traced = { text: string; origin: number[] }

function foldByCharacter(text: string): Traced {
  return trace(text, (character) => (/\s/u.test(character) ? ' ' : foldText(character)))
}

function keepDigits(text: string): Traced {
  return trace(text, (character) => (/\d/.test(character) ? character : ''))
}

function trace(text: string, transform: (character: string) => string): Traced {
  const origin: number[] = []
  let out = ''
  let at = 0
  for (const character of text) {
    const piece = transform(character)
    out += piece
    for (let i = 0; i < piece.length; i++) origin.push(at)
    at += character.length
  }
  return { text: out, origin }
}

/** Per character of the original: whether it belongs to a match. `solid` also marks what lies between. */
function marksOf(traced: Traced, words: readonly string[], length: number, solid = false): boolean[] {
  const marks = Array.from({ length }, () => false)
  for (const word of words) {
    for (let at = traced.text.indexOf(word); at !== -1; at = traced.text.indexOf(word, at + word.length)) {
      const origins = traced.origin.slice(at, at + word.length)
      const last = origins.at(-1) ?? 0
      for (const place of origins) marks[place] = true
      if (solid) marks.fill(true, origins[0] ?? 0, last + 1)
    }
  }
  return marks
}

/** A character without a mark of its own (a combining accent, half a surrogate pair) goes with the one before. */
function parts(text: string, marks: readonly boolean[]): TextPart[] {
  const found: TextPart[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const last = found.at(-1)
    const match = /[\p{M}\uDC00-\uDFFF]/u.test(character) && last !== undefined ? last.match : marks[at] === true
    if (last !== undefined && last.match === match) last.text += character
    else found.push({ text: character, match, at })
  }
  return found
}
