import { type MailWay, MAX_REPLY_LENGTH } from '@/lib/contract/limits'
import { isMailAddress, isRoutedAddress } from './reply-mail'
import { ANY_PLACEHOLDER } from './reply-template'
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

export function findRefusal({ context, email, subject, text, body, way }: ReplyToCheck): Refusal | null {
  if (way === 'program' ? isRoutedAddress(email) : !isMailAddress(email)) return { kind: 'noAddress' }
  if (text === null || isOnlyGreeting(text, context)) return { kind: 'nothingWritten' }
  const [placeholder] = ANY_PLACEHOLDER.exec(`${subject}\n${text}`) ?? []
  if (placeholder !== undefined) return { kind: 'placeholder', text: placeholder }
  const unfilledLine = findUnfilledLine(text)
  if (unfilledLine !== undefined) return { kind: 'emptyLine', text: unfilledLine }
  if (subject.trim() === '') return { kind: 'noSubject' }
  const excess = Math.max(body.length - MAX_REPLY_LENGTH.body, subject.length - MAX_REPLY_LENGTH.subject)
  return excess > 0 ? { kind: 'tooLong', over: excess } : null
}

const FIELD_LABEL = /^(datum|tid|plats|när|var|date|time|place|when|where)(?: (?:och|and) (?:tid|plats|time|place))?:/iu

/** Finds a label such as "Datum och tid:" without content, which may also follow on the next line. */
function findUnfilledLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line, index) => {
    if (FIELD_LABEL.exec(line)?.[0] !== line) return false
    const nextLine = lines[index + 1] ?? ''
    const nextWord = FIELD_LABEL.exec(nextLine)?.[1]?.toLowerCase()
    // "Tid och plats:" is a heading of the line "Tid: 10", but "Datum:" is not.
    return nextLine === '' || (nextWord !== undefined && !line.toLowerCase().includes(nextWord))
  })
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
