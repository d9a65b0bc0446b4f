export type MentionAt = { start: number; end: number; name: string }

/** `@` and a whole name, the longest that fits, whatever the case; an `@` within a word names no one. */
export function findMentions(text: string, names: Iterable<string>): MentionAt[] {
  if (!text.includes('@')) return []
  const known = byLength(names)
  const found: MentionAt[] = []
  for (let start = text.indexOf('@'); start !== -1; start = text.indexOf('@', start + 1)) {
    if (WORD.test(text.charAt(start - 1))) continue
    const name = nameAt(text, start + 1, known)
    if (name !== undefined) found.push({ start, end: start + 1 + name.length, name })
  }
  return found
}

const WORD = /[\p{L}\p{N}_]/u

/** By length, the longest first, so that no `@` is compared with every name. */
type NamesByLength = readonly (readonly [length: number, names: ReadonlyMap<string, string>])[]

function byLength(names: Iterable<string>): NamesByLength {
  const known = new Map<number, Map<string, string>>()
  for (const name of names) {
    const alike = known.get(name.length) ?? new Map<string, string>()
    known.set(name.length, alike)
    if (!alike.has(lettersOf(name))) alike.set(lettersOf(name), name)
  }
  known.delete(0)
  return [...known].toSorted(([a], [b]) => b - a)
}

function nameAt(text: string, from: number, known: NamesByLength): string | undefined {
  for (const [length, names] of known) {
    if (WORD.test(text.charAt(from + length))) continue
    const name = names.get(lettersOf(text.slice(from, from + length)))
    if (name !== undefined) return name
  }
  return undefined
}

function lettersOf(text: string): string {
  return text.toLocaleLowerCase('sv')
}

export function mentionBeingWritten(text: string, caret: number): { start: number; typed: string } | null {
  const start = text.lastIndexOf('@', caret - 1)
  if (start === -1 || WORD.test(text.charAt(start - 1))) return null
  const typed = text.slice(start + 1, caret)
  return typed.length > MAX_TYPED_LENGTH || /[\n.,;:!?]|^\s|\s{2}/.test(typed) ? null : { start, typed }
}

const MAX_TYPED_LENGTH = 40
