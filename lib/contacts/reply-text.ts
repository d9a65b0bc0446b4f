import type { Locale } from '@/lib/i18n/locale'
import { fillTemplate } from './reply-mail'

/** What a reply is begun with, in the language of the person who gets it, which need not be that of the screen. */
const FORMS = {
  sv: {
    greeting: 'Hej {firstName}!',
    closing: 'Vänliga hälsningar',
    answer: 'Svar på din fråga till {school}',
    interest: 'Ditt intresse för {school}',
    wrote: 'Du skrev:',
  },
  en: {
    greeting: 'Hi {firstName},',
    closing: 'Kind regards,',
    answer: 'Your question to {school}',
    interest: 'Your interest in {school}',
    wrote: 'You wrote:',
  },
} as const satisfies Record<Locale, Record<string, string>>

export type ReplyTo = {
  language: Locale
  firstName: string | null
  school: string
  author: string
  isQuestion: boolean
}

/** Where the answer is to be written is `caret`, between the greeting and the name. */
export type BegunReply = { subject: string; body: string; caret: number }

/** A reply that nobody has written anything in yet. */
export function beginReply({ language, firstName, school, author, isQuestion }: ReplyTo): BegunReply {
  const forms = FORMS[language]
  const fill = (text: string) => fillTemplate(text, { firstName, school })
  const greeting = `${fill(forms.greeting)}\n\n`
  const signature = [author, school].filter((name) => name !== '').join(', ')
  return {
    subject: fill(isQuestion ? forms.answer : forms.interest),
    body: `${greeting}\n\n${forms.closing}\n${signature}`,
    caret: greeting.length,
  }
}

/** Where one goes on with a reply: after one's own text, before the closing where that still stands. */
export function placeToGoOn(body: string, language: Locale): number {
  const closing = body.lastIndexOf(`\n${FORMS[language].closing}\n`)
  // The empty line before the closing is its own; what stands before that is one's own, with its last blank.
  return closing === -1 ? body.length : body.slice(0, closing).replace(/\n$/, '').length
}

/** What goes out: the answer, and below it the question as mail programs quote, unless it is left out. */
export function bodyWithQuote(body: string, question: string | null, language: Locale): string {
  const words = question?.trim() ?? ''
  if (words === '') return body.trimEnd()
  const lines = words.split(/\r\n|\r|\n/).map((line) => `> ${line}`.trimEnd())
  return `${body.trimEnd()}\n\n${FORMS[language].wrote}\n${lines.join('\n')}`
}

type Words = { subject: string; body: string }

/**
 * A reply with a filled in template: in place of what nobody has written in (`untouched`, as it was begun or filled in before), else
 * at the caret, with the subject left as it is. `caret` is where one goes on.
 */
export function withTemplate(now: Words, template: Words, untouched: readonly Words[], caret: number) {
  const isFree = untouched.some(({ body }) => body === now.body)
  if (!isFree) return { ...now, ...insertedAt(now.body, caret, besideOwn(now.body, template.body)), isWhole: false }
  const mayRename = untouched.some(({ subject }) => subject === now.subject)
  const subject = mayRename ? template.subject : now.subject
  return { subject, body: template.body, caret: placeToWrite(template.body), isWhole: true }
}

/** Of a template what a begun reply lacks: without its greeting and its closing where the reply has them. */
export function besideOwn(own: string, template: string): string {
  const body = GREETING.test(own) ? template.replace(GREETING, '') : template
  return (CLOSING.test(own) ? body.replace(CLOSING, '') : body).trim()
}

/** A first line of no more than a greeting and a name. */
const GREETING =
  /^\s*(?:hej(?:san)?|god (?:dag|morgon)|hi|hello|dear)(?:[^\S\n]+[^\s.?!,]{1,40}){0,3}[!,.]?[^\S\n]*(?:\n|$)/iu
/** What a letter ends with, and the names right below it: no further words. */
const CLOSING =
  /(?:^|\n)[^\S\n]*(?:(?:med )?(?:vänlig|varm|bäst)a? hälsning(?:ar)?|hälsningar|mvh|(?:(?:kind|best|warm) )?regards)[,.!]?[^\S\n]*\n?(?:\n[^\n]+){0,4}\s*$/iu

/** Templates leave some empty lines where the answer goes; else one goes on below. */
function placeToWrite(body: string): number {
  const gap = body.indexOf('\n\n\n')
  return gap === -1 ? body.length : gap + 2
}

/** A text put in at the caret, on lines of its own; answers the whole and where the caret stands then. */
export function insertedAt(body: string, caret: number, text: string): { body: string; caret: number } {
  const before = body.slice(0, caret).trimEnd()
  const after = body.slice(caret).trimStart()
  const head = before === '' ? text : `${before}\n\n${text}`
  return { body: after === '' ? head : `${head}\n\n${after}`, caret: head.length }
}
