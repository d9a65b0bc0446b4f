import type { NewTemplate } from '@/lib/contract/attempts'
import { withoutRepeats, type ReplyTo } from './reply-text'

const FILLED_IN = ['firstName', 'school', 'sender', 'programme'] as const

/** `names`: what the reply says of its person, which a template must not. */
export type TemplateDraft = Omit<NewTemplate, 'name'> & { names: readonly (string | null)[] }

/** A reply as a template for the next one who asks: without greeting and closing, with placeholders for what Intag fills in. */
export function templateFrom(body: string, to: ReplyTo, begun: string): string {
  const values = { ...to, sender: to.author }
  const known = FILLED_IN.map((name) => [name, values[name]?.trim() ?? ''] as const).filter(([, value]) => value !== '')
  // "Norra Gymnasiet" before "Norra", which it holds.
  const byLength = known.toSorted(([, a], [, b]) => b.length - a.length)
  return byLength.reduce((text, [name, value]) => text.replace(asWord(value), `{${name}}`), withoutRepeats(begun, body))
}

/** Those of `names` that a text still has, "Elsas" for "Elsa" too: a template is about nobody. */
export function namedIn(text: string, names: readonly (string | null | undefined)[]): string[] {
  const given = names.map((name) => name?.trim() ?? '').filter((name) => name.length > 1)
  return [...new Set(given)].filter((name) => asWord(name, 's?').test(text))
}

const asWord = (text: string, ending = '') =>
  new RegExp(
    String.raw`(?<![\p{L}\d{])${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}${ending}(?![\p{L}\d}])`,
    'giu',
  )
