import type { Locale } from '@/lib/i18n/locale'

/** Matches frequent words that English hardly has (it has "i" and "in", too), and all words with å, ä or ö. */
const SWEDISH_WORD =
  /^(?:jag|och|att|det|som|en|ett|den|inte|har|kan|man|med|till|av|vad|hur|ni|er|vi|finns|hej|min|mitt|mina|ska|vill|om|ja|tack|undrar|eller|blir|bara|vara)$|[åäö]/u
const ENGLISH_WORD =
  /^(?:the|and|is|are|you|my|what|how|do|does|can|will|would|there|to|of|for|with|have|has|when|where|hello|hi|at|it|be|or|from|this|that|your|not|we|am|a|please|thanks|about|if)$/u

/** Guesses the language by its frequent words, and returns `fallback` if both languages have equally many. */
export function guessLanguage(text: string, fallback: Locale): Locale {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const swedishCount = words.filter((word) => SWEDISH_WORD.test(word)).length
  const englishCount = words.filter((word) => ENGLISH_WORD.test(word)).length
  if (swedishCount === englishCount) return fallback
  return swedishCount > englishCount ? 'sv' : 'en'
}
