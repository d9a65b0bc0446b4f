/** Where a text names somebody: from the `@` up to the end of the name as it stands there. */
export type MentionAt = { start: number; end: number; name: string }

/**
 * Whom a text names: `@` and a whole name, capital or not. Longer names first, so that `@Anna Lundgren` is not Anna Lund;
 * an `@` within a word, as in an address, names nobody. In the order of the text.
 */
export function findMentions(text: string, names: Iterable<string>): MentionAt[] {
  if (!text.includes('@')) return []
  const longestFirst = [...new Set(names)].filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  const found: MentionAt[] = []
  for (let start = text.indexOf('@'); start !== -1; start = text.indexOf('@', start + 1)) {
    if (WORD.test(text.charAt(start - 1))) continue
    const name = longestFirst.find((one) => isAt(text, start + 1, one))
    if (name !== undefined) found.push({ start, end: start + 1 + name.length, name })
  }
  return found
}

const WORD = /[\p{L}\p{N}_]/u

function isAt(text: string, from: number, name: string): boolean {
  const end = from + name.length
  return sameLetters(text.slice(from, end), name) && !WORD.test(text.charAt(end))
}

function sameLetters(a: string, b: string): boolean {
  return a.toLocaleLowerCase('sv') === b.toLocaleLowerCase('sv')
}

/** What is being written at the caret after an `@`: where it begins, and the letters so far; null where nobody is being named. */
export function mentionBeingWritten(text: string, caret: number): { start: number; typed: string } | null {
  const start = text.lastIndexOf('@', caret - 1)
  if (start === -1 || WORD.test(text.charAt(start - 1))) return null
  const typed = text.slice(start + 1, caret)
  return typed.length > LONGEST_TYPED || /[\n.,;:!?]|^\s|\s{2}/.test(typed) ? null : { start, typed }
}

/** As long as names are; further from the `@` one writes about something else. */
const LONGEST_TYPED = 40
