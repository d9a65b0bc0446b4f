import { ApiError } from '@/lib/api/send'
import { LONGEST_REPLY } from '@/lib/contract/lists'
import { isMailAddress, isRoutedAddress, PLACEHOLDER } from './reply-mail'
import { beginReply, type ReplyTo } from './reply-text'

type Written = {
  to: ReplyTo
  email: string
  subject: string
  text: string | null
  body: string
  /** Sent by Intag. In a mail program the address can still be mended. */
  isOurs: boolean
}

/** `over`: characters too many; `text`: what was left to be filled in. */
export type Refusal =
  | { is: 'nothingWritten' }
  | { is: 'noSubject' | 'noAddress' }
  | { is: 'tooLong'; over: number }
  | { is: 'placeholder'; text: string }

export function refusalOf({ to, email, subject, text, body, isOurs }: Written): Refusal | null {
  if (isOurs ? !isMailAddress(email) : isRoutedAddress(email)) return { is: 'noAddress' }
  if (text === null || isGreetingAlone(text, to)) return { is: 'nothingWritten' }
  const [placeholder] = PLACEHOLDER.exec(`${subject}\n${text}`) ?? []
  if (placeholder !== undefined) return { is: 'placeholder', text: placeholder }
  if (subject.trim() === '') return { is: 'noSubject' }
  const over = Math.max(body.length - LONGEST_REPLY.body, subject.length - LONGEST_REPLY.subject)
  return over > 0 ? { is: 'tooLong', over } : null
}

/** Nothing but what a reply begins with; the name may have become known later. */
function isGreetingAlone(text: string, to: ReplyTo): boolean {
  const begun = new Set([to, { ...to, firstName: null }].flatMap((one) => linesOf(beginReply(one).body)))
  return linesOf(text).every((line) => begun.has(line))
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The server's reasons; each has its words in the area `reply`. */
const REASONS = [
  'unreachable',
  'timed-out',
  'refused',
  'recipient',
  'try-later',
  'unsure',
  'mail-not-set-up',
  'no-address',
  'other-text',
  'recipient-busy',
] as const
const KINDS = ['offline', 'not-ready', 'unauthorized', 'unauthenticated', 'not-found'] as const
type Failure = (typeof REASONS)[number] | (typeof KINDS)[number] | 'busy' | 'not-sent' | 'other'

export function mailFailure(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'other'
  const reason = REASONS.find((known) => known === error.reason)
  if (reason !== undefined) return reason
  if (error.status === 429) return 'busy'
  // A refused request sent nothing.
  return KINDS.find((known) => known === error.kind) ?? (error.kind === 'refused' ? 'not-sent' : 'other')
}

export function mayHaveArrived(error: unknown): boolean {
  const failure = mailFailure(error)
  return failure === 'unsure' || failure === 'offline' || failure === 'other'
}
