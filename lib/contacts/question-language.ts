import type { Locale } from '@/lib/i18n/locale'

/** Frequent words that the other language does not have. */
const FREQUENT = {
  sv: 'jag och att det är på som för en ett den inte har kan man med till av vad hur ni er vi när finns hej min mitt mina ska vill får så om ja tack undrar eller från blir också bara vara',
  en: 'the and is are you i my what how do does can will would there to of for with have has when where hello hi at it in be or from this that your not we am a please thanks about if',
} as const satisfies Record<Locale, string>

const WORDS = { sv: new Set(FREQUENT.sv.split(' ')), en: new Set(FREQUENT.en.split(' ')) }
/** They weigh as much as a frequent word. */
const SWEDISH_LETTERS = /[åäö]/u

/** By frequent words; `otherwise` where there are none, as in "APL?". */
export function languageOf(text: string, otherwise: Locale): Locale {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const swedish = words.filter((word) => WORDS.sv.has(word) || SWEDISH_LETTERS.test(word)).length
  const english = words.filter((word) => WORDS.en.has(word)).length
  if (swedish === english) return otherwise
  return swedish > english ? 'sv' : 'en'
}
