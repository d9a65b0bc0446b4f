import { phoneQueryDigits, phonePieces } from '@/lib/contacts/phone-search'
import { foldAccents, plainLetters } from './comparable-text'

/** A word of a search: as search texts have it (`foldText`), and with the å ä ö that were typed. */
export type SearchWord = { plain: string; typed: string }

/**
 * What a lead must have to be found: `digits` where its phone is searched, or else every one of `words`. A plain word is a
 * term without digits; "070-174 22" is one with the digits and two words.
 */
export type SearchTerm = { digits: string | null; words: readonly SearchWord[] }

/** The terms of a search, every one of which must be met, in any order; none for an empty search. The quickest to rule out first. */
export function searchTerms(query: string): SearchTerm[] {
  const words = foldAccents(query)
    .split(' ')
    .filter((word) => word !== '')
  const terms = phonePieces(words).flatMap((pieces) => termsOf(pieces))
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]))
  return [...distinct.values()].toSorted((a, b) => rank(b) - rank(a))
}

/** Pieces that can be a number together are one term; anything else is a word for itself. */
function termsOf(pieces: readonly string[]): SearchTerm[] {
  const digits = phoneQueryDigits(pieces.join(' '))
  const longestFirst = [...new Set(pieces)].toSorted((a, b) => b.length - a.length)
  const words = longestFirst.map((typed): SearchWord => ({ plain: plainLetters(typed), typed }))
  if (digits !== null) return [{ digits, words }]
  return words.map((word) => ({ digits, words: [word] }))
}

/** Words with å ä ö cost least to look for and numbers most; long ones are rare. */
function rank({ digits, words: [first] }: SearchTerm): number {
  if (digits !== null || first === undefined) return (digits ?? '').length
  return first.plain.length + (first.plain === first.typed ? LONGEST : 2 * LONGEST)
}

const LONGEST = 1000
