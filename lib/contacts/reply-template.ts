import { escapeRegExp } from '@/lib/escape-reg-exp'
import { toOneLine } from '@/lib/inbox/lead-text'

export const PLACEHOLDER_NAMES = ['firstName', 'school', 'sender'] as const
type TemplateValues = Partial<Record<(typeof PLACEHOLDER_NAMES)[number], string | null>>

const KNOWN_PLACEHOLDER = new RegExp(`([^\\S\\n]*)\\{(${PLACEHOLDER_NAMES.join('|')})\\}`, 'g')

/** Fills in the values, and leaves out a missing one. Other placeholders stay, and prevent sending. */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(KNOWN_PLACEHOLDER, (_, blanks: string, name: keyof TemplateValues) => {
    const value = toOneLine(values[name] ?? '')
    return value === '' ? '' : blanks + value
  })
  return filled.replace(/^[^\S\n]+$/gm, '')
}

export const ANY_PLACEHOLDER = /\{([^{}\n]{1,40})\}/

export function findUnknownPlaceholders(text: string): string[] {
  const known: readonly string[] = PLACEHOLDER_NAMES
  const found = [...text.matchAll(new RegExp(ANY_PLACEHOLDER, 'g'))].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !known.includes(name)).map((name) => `{${name}}`)
}

export type ReplyText = { subject: string; body: string }

/** Replaces the body if it is untouched; otherwise inserts the template at the caret and keeps the subject. */
export function applyTemplate(
  { subject, body }: ReplyText,
  template: ReplyText,
  untouchedTexts: readonly ReplyText[],
  caret: number,
) {
  if (!untouchedTexts.some((untouched) => untouched.body === body))
    return { subject, ...insertAt(body, caret, omitRepeats(body, template.body)) }
  const mayReplaceSubject = untouchedTexts.some((untouched) => untouched.subject === subject)
  // The user continues in the empty lines that a template leaves.
  const gapIndex = template.body.indexOf('\n\n\n')
  return {
    subject: mayReplaceSubject ? template.subject : subject,
    body: template.body,
    caret: gapIndex === -1 ? template.body.length : gapIndex + 2,
  }
}

function insertAt(body: string, caret: number, text: string): { body: string; caret: number } {
  const before = body.slice(0, caret).trimEnd()
  const after = body.slice(caret).trimStart()
  const head = before === '' ? text : `${before}\n\n${text}`
  return { body: after === '' ? head : `${head}\n\n${after}`, caret: head.length }
}

const GREETING =
  /^\s*(?:hej(?:san)?|god (?:dag|morgon)|hi|hello|dear)(?:[^\S\n]+[^\s.?!,]{1,40}){0,3}[!,.]?[^\S\n]*(?:\n|$)/iu
const CLOSING =
  /(?:^|\n)[^\S\n]*(?:(?:med )?(?:vänlig|varm|bäst)a? hälsning(?:ar)?|hälsningar|mvh|(?:(?:kind|best|warm) )?regards)[,.!]?[^\S\n]*\n?(?:\n[^\n]+){0,4}\s*$/iu

/** Leaves out the greeting and the closing of a template where the existing text has its own. */
function omitRepeats(existing: string, template: string): string {
  const body = GREETING.test(existing) ? template.replace(GREETING, '') : template
  return (CLOSING.test(existing) ? body.replace(CLOSING, '') : body).trim()
}

/** Makes a template of a reply: without the greeting and closing it began with, and with placeholders for names. */
export function extractTemplate(body: string, values: TemplateValues, initialBody: string): string {
  const known = PLACEHOLDER_NAMES.map((name) => ({ name, value: values[name]?.trim() ?? '' }))
  // "Norra Gymnasiet" must be replaced before "Norra", which is part of it.
  const longestFirst = known.filter(({ value }) => value !== '').toSorted((a, b) => b.value.length - a.value.length)
  let template = omitRepeats(initialBody, body)
  for (const { name, value } of longestFirst)
    // A name begins with a capital in any spelling; "per" and "bo" in lower case are other words.
    template = template.replace(toWordPattern(value), (found) => (/^\p{Ll}/u.test(found) ? found : `{${name}}`))
  return template
}

/** Returns those of `names` that a text has, also in lower case or the genitive. */
export function findNames(text: string, names: readonly (string | null | undefined)[]): string[] {
  const known = names.map((name) => name?.trim() ?? '').filter((name) => name.length > 1)
  return [...new Set(known)].filter((name) => toWordPattern(name, 's?').test(text))
}

/** Matches a text as whole words in any case, but no placeholder. */
function toWordPattern(text: string, ending = ''): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d{])${escapeRegExp(text)}${ending}(?![\p{L}\d}])`, 'giu')
}
