import { displayPlainPhone } from '@/lib/contacts/plain-phone'
import type { AskedQuestion, Lead, LeadKind, LeadPerson } from '@/lib/contract/lead'
import { cutText } from '@/lib/cut-text'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'

type Contact = { email: string | null; phone: string | null }

export type Named = Lead & { person?: LeadPerson | null }

export function isQuestion<L extends Lead>(item: L): item is Extract<L, AskedQuestion> {
  return 'question' in item
}

export function kindOf(item: Lead): LeadKind {
  return isQuestion(item) ? 'asked-question' : 'declaration-of-interest'
}

export function keyOf(item: Lead): LeadKey {
  return leadKey({ kind: kindOf(item), id: item.id })
}

export function contactOf(item: Lead): Contact {
  const { email, phone } = isQuestion(item) ? item.sender : item.user
  return { email: filled(email), phone: filled(phone) }
}

/** The heading of a person's row and page: the name, or else e-mail or phone. */
export function nameOf(item: Named): string | null {
  return headingOf(item)?.text ?? null
}

export type Way = { is: 'email' | 'phone'; text: string }

export function headingOf(item: Named): Way | { is: 'name'; text: string } | null {
  const name = givenName(item)
  return name === null ? (waysOf(item)[0] ?? null) : { is: 'name', text: name }
}

export function waysBesideHeading(item: Named): Way[] {
  return waysOf(item).slice(givenName(item) === null ? 1 : 0)
}

function waysOf(item: Lead): Way[] {
  const { email, phone } = contactOf(item)
  return [
    ...(email === null ? [] : [{ is: 'email', text: email } as const]),
    ...(phone === null ? [] : [{ is: 'phone', text: displayPlainPhone(phone) } as const]),
  ]
}

function givenName(item: Named): string | null {
  if (isQuestion(item)) return item.person?.name ?? null
  return filled(`${item.user.firstName ?? ''} ${item.user.lastName ?? ''}`.replace(/\s+/g, ' '))
}

export const OPENING_LENGTH = 160

/** As long as a row can show. Half a surrogate pair is U+FFFD, as in the HTML of the server. */
export function openingOf(question: string): string {
  const line = oneLine(cutText(question, OPENING_LENGTH * 2)).toWellFormed()
  return line.length > OPENING_LENGTH ? `${cutText(line, OPENING_LENGTH).trimEnd()}…` : line
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function filled(text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
