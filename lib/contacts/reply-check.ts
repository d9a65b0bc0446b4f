import { ApiError } from '@/lib/api/send'
import { MAX_REPLY_LENGTH, type MailWay } from '@/lib/contract/lists'
import {
  type RequiredPlaceholder,
  REQUIRED_PLACEHOLDERS,
  isMailAddress,
  isRoutedAddress,
  PLACEHOLDER,
} from './reply-mail'
import { beginReply, type ReplyTo } from './reply-text'

type Written = {
  to: ReplyTo
  email: string
  subject: string
  text: string | null
  body: string
  /** In a mail program the address can still be mended. */
  way: MailWay
}

/** `over`: characters too many; `text`: what was left to be filled in, `name` where Intag fills it in if it can. */
export type Refusal =
  | { is: 'nothingWritten' }
  | { is: 'noSubject' | 'noAddress' }
  | { is: 'tooLong'; over: number }
  | { is: 'placeholder' | 'emptyLine'; text: string }
  | { is: 'hole'; text: string; name: RequiredPlaceholder }

/** A line of a template that only says what is to be written: "Datum och tid:". */
const EMPTY_LINE =
  /(?:^|\n)[^\S\n]*((?:datum|tid|plats|när|var|date|time|place|when|where)(?: (?:och|and) (?:tid|plats|time|place))?:)[^\S\n]*(?=\n[^\S\n]*(?:\n|$)|$)/iu

export function refusalOf({ to, email, subject, text, body, way }: Written): Refusal | null {
  if (way === 'program' ? isRoutedAddress(email) : !isMailAddress(email)) return { is: 'noAddress' }
  if (text === null || isGreetingAlone(text, to)) return { is: 'nothingWritten' }
  const [placeholder, inBraces] = PLACEHOLDER.exec(`${subject}\n${text}`) ?? []
  if (placeholder !== undefined) {
    const name = REQUIRED_PLACEHOLDERS.find((known) => known === inBraces)
    return name === undefined ? { is: 'placeholder', text: placeholder } : { is: 'hole', text: placeholder, name }
  }
  const empty = EMPTY_LINE.exec(text)?.[1]
  if (empty !== undefined) return { is: 'emptyLine', text: empty }
  if (subject.trim() === '') return { is: 'noSubject' }
  const over = Math.max(body.length - MAX_REPLY_LENGTH.body, subject.length - MAX_REPLY_LENGTH.subject)
  return over > 0 ? { is: 'tooLong', over } : null
}

/** Nothing but what a reply begins with; the name may have become known later. */
export function isGreetingAlone(text: string, to: ReplyTo): boolean {
  const initialLines = new Set([to, { ...to, firstName: null }].flatMap((one) => linesOf(beginReply(one).body)))
  return linesOf(text).every((line) => initialLines.has(line))
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Each has its words in the area `reply`. */
const REASONS = [
  'unreachable',
  'timed-out',
  'refused',
  'recipient',
  'try-later',
  'unknown',
  'mail-not-set-up',
  'no-address',
  'recipient-busy',
] as const
/** The mail server does not take Intag's account or sender: an administrator sees which at the test mail. */
const ACCOUNT_REASONS = new Set(['credentials', 'basic-auth-disabled', 'not-authenticated', 'send-as-denied'])
const KINDS = ['offline', 'not-ready', 'unauthorized', 'unauthenticated', 'not-found'] as const
export type Failure = (typeof REASONS)[number] | (typeof KINDS)[number] | 'account' | 'busy' | 'not-sent' | 'other'

export function mailFailure(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'other'
  const reason = REASONS.find((known) => known === error.reason)
  if (reason !== undefined) return reason
  if (ACCOUNT_REASONS.has(error.reason ?? '')) return 'account'
  if (error.status === 429) return 'busy'
  // A refused request sent nothing.
  return KINDS.find((known) => known === error.kind) ?? (error.kind === 'refused' ? 'not-sent' : 'other')
}

export function mayHaveArrived(failure: Failure): boolean {
  return failure === 'unknown' || isUnanswered(failure)
}

/** Whether it was sent is not known here: asked by the same key, the server says it. */
export function isUnanswered(failure: Failure): boolean {
  return failure === 'offline' || failure === 'other' || failure === 'not-ready'
}
