import { LONGEST_REPLY } from '@/lib/contract/lists'
import { isMailAddress, isRoutedAddress, PLACEHOLDER } from './reply-mail'
import { beginReply, type ReplyTo } from './reply-text'

type Written = {
  to: ReplyTo
  email: string
  subject: string
  /** As the person wrote it; null where nobody has touched it. */
  text: string | null
  /** As it goes out, with what is quoted. */
  body: string
  /** Sent by Intag, and not by a mail program in which the address can still be mended. */
  isOurs: boolean
}

/** Why a reply cannot go out as it stands; `over` are characters too many, `text` is what was left to be filled in. */
export type Refusal =
  | { is: 'nothingWritten' }
  | { is: 'noSubject' | 'noAddress' }
  | { is: 'tooLong'; over: number }
  | { is: 'placeholder'; text: string }

/** What keeps a reply from being sent, before it is begun to be sent; null where nothing does. */
export function refusalOf({ to, email, subject, text, body, isOurs }: Written): Refusal | null {
  if (isOurs ? !isMailAddress(email) : isRoutedAddress(email)) return { is: 'noAddress' }
  if (text === null || isGreetingAlone(text, to)) return { is: 'nothingWritten' }
  const [placeholder] = PLACEHOLDER.exec(`${subject}\n${text}`) ?? []
  if (placeholder !== undefined) return { is: 'placeholder', text: placeholder }
  if (subject.trim() === '') return { is: 'noSubject' }
  const over = Math.max(body.length - LONGEST_REPLY.body, subject.length - LONGEST_REPLY.subject)
  return over > 0 ? { is: 'tooLong', over } : null
}

/** Nothing but what a reply is begun with, or a part of it; the name may have become known after the text was touched. */
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
