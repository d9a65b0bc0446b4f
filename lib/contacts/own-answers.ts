import type { NewTemplate, ReplyTemplate } from '@/lib/contract/attempts'
import { foldText } from '@/lib/leads/comparable-text'
import { withoutRepeats, type ReplyTo } from './reply-text'

const FILLED_IN = ['firstName', 'school', 'sender', 'programme'] as const

/** `names`: what the reply says of its person, which an answer for others must not. */
export type AnswerDraft = Omit<NewTemplate, 'name'> & { names: readonly (string | null)[] }

/** A reply as an answer for the next one who asks: without greeting and closing, with placeholders for what Intag fills in. */
export function answerFrom(body: string, to: ReplyTo, begun: string): string {
  const values = { ...to, sender: to.author }
  const known = FILLED_IN.map((name) => [name, values[name]?.trim() ?? ''] as const).filter(([, value]) => value !== '')
  // "Norra Gymnasiet" before "Norra", which it holds.
  const byLength = known.toSorted(([, a], [, b]) => b.length - a.length)
  return byLength.reduce((text, [name, value]) => text.replace(asWord(value), `{${name}}`), withoutRepeats(begun, body))
}

/** Those of `names` that a text still has, "Elsas" for "Elsa" too: an answer is about nobody. */
export function namedIn(text: string, names: readonly (string | null | undefined)[]): string[] {
  const given = names.map((name) => name?.trim() ?? '').filter((name) => name.length > 1)
  return [...new Set(given)].filter((name) => asWord(name, 's?').test(text))
}

const asWord = (text: string, ending = '') =>
  new RegExp(
    String.raw`(?<![\p{L}\d{])${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}${ending}(?![\p{L}\d}])`,
    'giu',
  )

/** What is typed after a `/` at the caret, which begins a word: the search for an answer. */
export function answerSearch(text: string, caret: number): { from: number; query: string } | null {
  const typed = /(?:^|\s)\/([^\s/]{0,30})$/u.exec(text.slice(0, caret))
  const [, query] = typed ?? []
  return query === undefined ? null : { from: caret - query.length - 1, query }
}

const MAX_FOUND = 5

type Answers = {
  all: readonly ReplyTemplate[]
  to: Pick<ReplyTo, 'language'>
}

/** For a `/` in a reply: answers with a word in their name that begins so, by `rank`. */
export function answersAfterSlash({ all, to }: Answers) {
  /** In the reply's language before the others, then the user's own. */
  const rank = (answer: ReplyTemplate) => Number(answer.language === to.language) * 2 + Number(answer.isOwn ?? false)
  const itemsFor = (query: string) => {
    const found = all.filter(({ name }) => ` ${foldText(name)}`.includes(` ${foldText(query)}`))
    return found.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_FOUND)
  }
  return { typedAt: answerSearch, itemsFor }
}
