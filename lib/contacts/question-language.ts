import type { Locale } from '@/lib/i18n/locale'

/** Short words that a text of some length can hardly do without, and that the other language does not have. */
const FREQUENT = {
  sv: 'jag och att det är på som för en ett den inte har kan man med till av vad hur ni er vi när finns hej min mitt mina ska vill får så om ja tack undrar eller från blir också bara vara',
  en: 'the and is are you i my what how do does can will would there to of for with have has when where hello hi at it in be or from this that your not we am a please thanks about if',
} as const satisfies Record<Locale, string>

const WORDS = { sv: new Set(FREQUENT.sv.split(' ')), en: new Set(FREQUENT.en.split(' ')) }
/** Whether a word stands in every text, so that it tells nothing of what it is about. */
export function isFrequent(word: string): boolean {
  return WORDS.sv.has(word) || WORDS.en.has(word)
}

/** Å, ä and ö weigh as much as a frequent word: English has none of them. */
const SWEDISH_LETTERS = /[åäö]/u

/** The language of a question by its frequent words; `otherwise` where they tell nothing, as of "APL?". */
export function languageOf(text: string, otherwise: Locale): Locale {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const swedish = words.filter((word) => WORDS.sv.has(word) || SWEDISH_LETTERS.test(word)).length
  const english = words.filter((word) => WORDS.en.has(word)).length
  if (swedish === english) return otherwise
  return swedish > english ? 'sv' : 'en'
}
