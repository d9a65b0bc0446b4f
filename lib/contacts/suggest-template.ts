import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Locale } from '@/lib/i18n/locale'
import { foldText } from '@/lib/leads/comparable-text'

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

const WEIGHTS = { name: 3, subject: 2, body: 1 } as const
/** One word of a body is chance. */
const MIN_SCORE = 2
/** "antagning", "antagningen" and "antagningspoäng" have this much in common. */
const STEM_LENGTH = 6
/** "hus", "apl", "buss". */
const MIN_WORD_LENGTH = 3

const IGNORED_STEMS = new Set(
  stemsOf(
    'din ditt dina vår vårt våra oss ert era igen dig mig mer mejl mejla your our any out skola skolan skolor gymnasium gymnasiet fråga frågor svar svara undrar tack hälsningar vänliga gärna skulle eller också mycket finns vilka vilken hade bara kunna något några tillbaka elev elever till från efter kommer komma gäller intresserad intresse sök söka söker sökte sökt sökts ansöka ansöker ansökte ansökt school question questions answer thank thanks kind regards about would could like have with your this that there what when where which from please interested interest students student know more',
    new Set(),
  ),
)

/** The template that shares most words with a question, if any. The language of both is the caller's business. */
export function suggestTemplate(question: string, templates: readonly ReplyTemplate[]): ReplyTemplate | null {
  const questionStems = new Set(stemsOf(question))
  let best: { template: ReplyTemplate; score: number } | null = null
  for (const template of templates) {
    const score = scoreOf(questionStems, template)
    if (score >= MIN_SCORE && score > (best?.score ?? 0)) best = { template, score }
  }
  return best?.template ?? null
}

function scoreOf(questionStems: ReadonlySet<string>, template: ReplyTemplate): number {
  let score = 0
  const counted = new Set<string>()
  for (const field of ['name', 'subject', 'body'] as const) {
    for (const stem of stemsOf(template[field])) {
      if (!questionStems.has(stem) || counted.has(stem)) continue
      counted.add(stem)
      score += WEIGHTS[field]
    }
  }
  return score
}

function stemsOf(text: string, without: ReadonlySet<string> = IGNORED_STEMS): string[] {
  const words =
    text
      .replace(/\{\w+\}/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  const relevant = words.filter((word) => word.length >= MIN_WORD_LENGTH && !WORDS.sv.has(word) && !WORDS.en.has(word))
  const stems = relevant.map((word) => foldText(word).slice(0, STEM_LENGTH))
  return stems.filter((stem) => !without.has(stem))
}
