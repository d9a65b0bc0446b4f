import { escapeRegExp } from '@/lib/escape-reg-exp'
import type { TextPart } from './highlighted-lead'

export type Mention = { start: number; end: number; name: string }

const WORD_CHAR = '[\\p{L}\\p{N}_]'

/** Finds each `@` with the longest name that follows it, in any case. An `@` within a word is no mention. */
export function findMentions(text: string, names: Iterable<string>): Mention[] {
  const longestFirst = [...names].filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return []
  const pattern = new RegExp(`(?<!${WORD_CHAR})@(${longestFirst.map(escapeRegExp).join('|')})(?!${WORD_CHAR})`, 'giu')
  const nameByLowerCase = new Map(longestFirst.map((name) => [name.toLowerCase(), name]))
  return [...text.matchAll(pattern)].map(({ 0: whole, 1: written = '', index }) => {
    return { start: index, end: index + whole.length, name: nameByLowerCase.get(written.toLowerCase()) ?? written }
  })
}

/** Splits a text into its mentions, which are the matches, and the rest. */
export function splitAtMentions(text: string, names: Iterable<string>): TextPart[] {
  const starts = [0, ...findMentions(text, names).flatMap(({ start, end }) => [start, end])]
  const parts = starts.map((start, index) => {
    return { text: text.slice(start, starts[index + 1]), isMatch: index % 2 === 1, start }
  })
  return parts.filter((part) => part.text !== '')
}

/** Returns what is typed of a name between the `@` at `start` and the caret, or null outside of a mention. */
export function findTypedMention(text: string, caret: number): { start: number; typed: string } | null {
  // `lastIndexOf` would take a negative position for 0.
  const start = caret === 0 ? -1 : text.lastIndexOf('@', caret - 1)
  if (start === -1 || new RegExp(WORD_CHAR, 'u').test(text.charAt(start - 1))) return null
  const typed = text.slice(start + 1, caret)
  const noNamePattern = /[\n.,;:!?]|^\s|\s{2}/
  return noNamePattern.test(typed) ? null : { start, typed }
}
