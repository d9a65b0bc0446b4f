import type { LeadItem } from '@/lib/api/leads'
import type { Locale } from '@/lib/i18n/locale'
import { isQuestion } from '@/lib/inbox/lead-text'
import { fillTemplate } from './reply-template'

/** A reply is in the recipient's language, which may differ from the screen's. */
const PHRASES = {
  sv: {
    greeting: 'Hej {firstName}!',
    closing: 'Vänliga hälsningar',
    questionSubject: 'Svar på din fråga till {school}',
    interestSubject: 'Ditt intresse för {school}',
    quoteHeading: 'Du skrev:',
  },
  en: {
    greeting: 'Hi {firstName},',
    closing: 'Kind regards,',
    questionSubject: 'Your question to {school}',
    interestSubject: 'Your interest in {school}',
    quoteHeading: 'You wrote:',
  },
} as const satisfies Record<Locale, Record<string, string>>

export type ReplyContext = {
  language: Locale
  firstName: string | null
  school: string
  sender: string
  isQuestion: boolean
}

export function beginReply(context: ReplyContext) {
  const phrases = PHRASES[context.language]
  const greeting = `${fillTemplate(phrases.greeting, context)}\n\n`
  const signature = [context.sender, context.school].filter((name) => name !== '').join(', ')
  return {
    subject: fillTemplate(context.isQuestion ? phrases.questionSubject : phrases.interestSubject, context),
    body: `${greeting}\n\n${phrases.closing}\n${signature}`,
    /** The answer goes between greeting and closing. */
    caret: greeting.length,
  }
}

/** Returns where the user continues to write: before the closing, or at the end without one. */
export function findCaret(body: string, language: Locale): number {
  const closingIndex = body.lastIndexOf(`\n${PHRASES[language].closing}\n`)
  // The empty line before the closing belongs to it.
  return closingIndex === -1 ? body.length : body.slice(0, closingIndex).replace(/\n$/, '').length
}

export function appendQuote(body: string, question: string | null, language: Locale): string {
  const quoted = question?.trim() ?? ''
  if (quoted === '') return body.trimEnd()
  const lines = quoted.split(/\r\n|\r|\n/).map((line) => `> ${line}`.trimEnd())
  return `${body.trimEnd()}\n\n${PHRASES[language].quoteHeading}\n${lines.join('\n')}`
}

export function findGreetingName(item: LeadItem): string | null {
  if (isQuestion(item)) return item.person?.firstName ?? null
  const name = (item.user.firstName ?? '').trim()
  return name === '' ? null : name
}
