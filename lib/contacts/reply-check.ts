import { type MailWay, MAX_REPLY_LENGTH } from '@/lib/contract/limits'
import { isMailAddress, isRoutedAddress } from './reply-mail'
import { PLACEHOLDER } from './reply-template'
import { beginReply, type ReplyContext } from './reply-text'

/** `text` is what the user wrote, or null before the first change; `body` is sent, with the quoted question. */
type ReplyToCheck = {
  context: ReplyContext
  email: string
  subject: string
  text: string | null
  body: string
  way: MailWay
}

/** `over` counts the excess characters; `text` was left to be filled in. */
type Refusal =
  | { kind: 'nothingWritten' | 'noSubject' | 'noAddress' }
  | { kind: 'tooLong'; over: number }
  | { kind: 'placeholder' | 'emptyLine'; text: string }

/** Matches a line of a template that is not filled in, such as "Datum och tid:". */
const EMPTY_LINE =
  /(?:^|\n)[^\S\n]*((?:datum|tid|plats|när|var|date|time|place|when|where)(?: (?:och|and) (?:tid|plats|time|place))?:)[^\S\n]*(?=\n[^\S\n]*(?:\n|$)|$)/iu

export function findRefusal({ context, email, subject, text, body, way }: ReplyToCheck): Refusal | null {
  if (way === 'program' ? isRoutedAddress(email) : !isMailAddress(email)) return { kind: 'noAddress' }
  if (text === null || isOnlyGreeting(text, context)) return { kind: 'nothingWritten' }
  const [placeholder] = PLACEHOLDER.exec(`${subject}\n${text}`) ?? []
  if (placeholder !== undefined) return { kind: 'placeholder', text: placeholder }
  const emptyLine = EMPTY_LINE.exec(text)?.[1]
  if (emptyLine !== undefined) return { kind: 'emptyLine', text: emptyLine }
  if (subject.trim() === '') return { kind: 'noSubject' }
  const excess = Math.max(body.length - MAX_REPLY_LENGTH.body, subject.length - MAX_REPLY_LENGTH.subject)
  return excess > 0 ? { kind: 'tooLong', over: excess } : null
}

/** Tells whether a reply is as it began, with or without the name, which may be known only later. */
export function isOnlyGreeting(text: string, context: ReplyContext): boolean {
  const beginnings = [context, { ...context, firstName: null }].map((known) => beginReply(known).body)
  const initialLines = new Set(beginnings.flatMap(splitLines))
  return splitLines(text).every((line) => initialLines.has(line))
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
