import { phoneQueryDigits } from '@/lib/phone/phone-query-digits'
import { foldText } from './fold-text'

/** Whether a folded search text (`LeadTable.searchText`) meets the query; null for an empty query, which meets all. */
export function searchMatcher(query: string | undefined): ((searchText: string) => boolean) | null {
  const folded = foldText(query ?? '')
  if (folded === '') return null
  const words = searchWords(folded)
  const digits = phoneQueryDigits(folded)
  const [only] = words
  if (digits === null && words.length === 1 && only !== undefined) return (text) => text.includes(only)
  const [rarest = '', ...others] = words
  const hasWords = (text: string) => text.includes(rarest) && others.every((word) => text.includes(word))
  return digits === null ? hasWords : (text) => text.includes(digits) || hasWords(text)
}

/** The words of a folded query, each of which must be found somewhere, longest (rarest) first. */
export function searchWords(folded: string): string[] {
  return [...new Set(folded.split(' '))].filter((word) => word !== '').toSorted((a, b) => b.length - a.length)
}
