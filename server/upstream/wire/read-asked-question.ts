import 'server-only'
import type { AskedQuestion } from '@/lib/contract/lead'
import { readMoment } from './read-moment'
import { readId, readNonEmptyText, readObject, readOptionalText, readText, recordReader } from './reading'

/** One element of `askedQuestions`. What the service may leave out is null or deduced; further fields are ignored. */
export const readAskedQuestion = recordReader((record): AskedQuestion => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const highSchoolName = readOptionalText(record.highSchoolName, 'highSchoolName') ?? highSchoolId
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const question = readText(record.question, 'question')
  const { mode, phone, email } = readObject(record.sender, 'sender')
  return { id, highSchoolId, highSchoolName, createdAt, question, sender: readSender(mode, phone, email) }
})

function readSender(mode: unknown, rawPhone: unknown, rawEmail: unknown): AskedQuestion['sender'] {
  const phone = readOptionalText(rawPhone, 'sender.phone')
  const email = readOptionalText(rawEmail, 'sender.email')
  return { mode: readOptionalText(mode, 'sender.mode') ?? deducedMode(phone, email), phone, email }
}

function deducedMode(phone: string | null, email: string | null): string {
  if (email !== null) return 'email'
  return phone === null ? 'unknown' : 'phone'
}
