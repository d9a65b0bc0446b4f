import type { ReplyTemplate } from '@/lib/contract/reply-template'
import { isFrequent } from './question-language'
import { foldText } from '@/lib/leads/comparable-text'

/** What a template is about counts more where it is said in its name. */
const WEIGHTS = { name: 3, subject: 2, body: 1 } as const
/** A single word of a long body is chance. */
const LEAST = 2
/** Swedish puts its endings last: "antagning", "antagningen" and "antagningspoäng" have this much in common. */
const STEM = 6
/** "hus", "apl", "buss". */
const SHORTEST = 3

/** Words of every letter to a school; they tell nothing of what it is about. */
const EMPTY = new Set(
  stemsOf(
    'din ditt dina vår vårt våra oss ert era igen dig mig mer mejl mejla your our any out skola skolan skolor gymnasium gymnasiet fråga frågor svar svara undrar tack hälsningar vänliga gärna skulle eller också mycket finns vilka vilken hade bara kunna något några tillbaka elev elever till från efter kommer komma gäller intresserad intresse sök söka söker sökte sökt sökts ansöka ansöker ansökte ansökt school question questions answer thank thanks kind regards about would could like have with your this that there what when where which from please interested interest students student know more',
    new Set(),
  ),
)

/**
 * The template that has most to do with a question, by the words that they share; null where none has anything. The question's
 * language is the caller's business, as is who may see the templates.
 */
export function suggestTemplate(question: string, templates: readonly ReplyTemplate[]): ReplyTemplate | null {
  const asked = new Set(stemsOf(question))
  let best: { template: ReplyTemplate; score: number } | null = null
  for (const template of templates) {
    const score = scoreOf(asked, template)
    if (score >= LEAST && score > (best?.score ?? 0)) best = { template, score }
  }
  return best?.template ?? null
}

function scoreOf(asked: ReadonlySet<string>, template: ReplyTemplate): number {
  let score = 0
  const counted = new Set<string>()
  for (const field of ['name', 'subject', 'body'] as const) {
    for (const stem of stemsOf(template[field])) {
      if (!asked.has(stem) || counted.has(stem)) continue
      counted.add(stem)
      score += WEIGHTS[field]
    }
  }
  return score
}

function stemsOf(text: string, without: ReadonlySet<string> = EMPTY): string[] {
  const words =
    text
      .replace(/\{\w+\}/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  const telling = words.filter((word) => word.length >= SHORTEST && !isFrequent(word))
  const stems = telling.map((word) => foldText(word).slice(0, STEM))
  return stems.filter((stem) => !without.has(stem))
}
