import { formatPhone } from '@/lib/contacts/plain-phone'
import type { AskedQuestion, Lead, LeadPerson, LeadRef } from '@/lib/contract/lead'
import { cutText } from '@/lib/cut-text'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'

export type LeadWithPerson = Lead & { person?: LeadPerson | null }

export function isQuestion<L extends Lead>(item: L): item is Extract<L, AskedQuestion> {
  return 'question' in item
}

export function toLeadRef(item: Lead): LeadRef {
  return { kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }
}

export function toLeadKey(item: Lead): LeadKey {
  return leadKey(toLeadRef(item))
}

export function readEmailAndPhone(item: Lead): { email: string | null; phone: string | null } {
  const { email, phone } = isQuestion(item) ? item.sender : item.user
  return { email: trimToNull(email), phone: trimToNull(phone) }
}

/** Returns the name, or else e-mail or phone. */
export function findDisplayName(item: LeadWithPerson): string | null {
  return listPersonDetails(item)[0]?.text ?? null
}

export type PersonDetail = { kind: 'name' | 'email' | 'phone'; text: string }

/** Lists name, e-mail and phone as far as they are known. The first one heads the lead's row and page. */
export function listPersonDetails(item: LeadWithPerson): PersonDetail[] {
  const { email, phone } = readEmailAndPhone(item)
  const name = isQuestion(item)
    ? item.person?.name
    : trimToNull(`${item.user.firstName ?? ''} ${item.user.lastName ?? ''}`.replace(/\s+/g, ' '))
  const details: PersonDetail[] = []
  if (name) details.push({ kind: 'name', text: name })
  if (email) details.push({ kind: 'email', text: email })
  if (phone) details.push({ kind: 'phone', text: formatPhone(phone) })
  return details
}

export const OPENING_LENGTH = 160

/** Returns as much of a question as a row can show. Half a character becomes U+FFFD, as in the server's HTML. */
export function cutOpening(question: string): string {
  const line = toOneLine(cutText(question, OPENING_LENGTH * 2)).toWellFormed()
  return line.length > OPENING_LENGTH ? `${cutText(line, OPENING_LENGTH).trimEnd()}…` : line
}

export function toOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function trimToNull(text: string | null): string | null {
  return text?.trim() || null
}
