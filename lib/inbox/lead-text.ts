import { displayPhone } from '@/lib/contacts/phone'
import type { AskedQuestion, Lead, LeadPerson } from '@/lib/contract/lead'
import { cutText } from '@/lib/cut-text'

type Contact = { email: string | null; phone: string | null }

/** A lead, and on the desk what is known of its person from other leads. */
export type Named = Lead & { person?: LeadPerson | null }

export function isQuestion<L extends Lead>(item: L): item is Extract<L, AskedQuestion> {
  return 'question' in item
}

export function contactOf(item: Lead): Contact {
  const { email, phone } = isQuestion(item) ? item.sender : item.user
  return { email: filled(email), phone: filled(phone) }
}

/** What a person's row and page are headed by: the name, or else what they can be reached by; null when there is nothing. */
export function nameOf(item: Named): string | null {
  return headingOf(item)?.text ?? null
}

export type Way = { is: 'email' | 'phone'; text: string }

/** The same, and which of them it is. */
export function headingOf(item: Named): Way | { is: 'name'; text: string } | null {
  const name = givenName(item)
  return name === null ? (waysOf(item)[0] ?? null) : { is: 'name', text: name }
}

/** How the person can be reached, but for what a row's heading says already. */
export function waysBesideHeading(item: Named): Way[] {
  return waysOf(item).slice(givenName(item) === null ? 1 : 0)
}

function waysOf(item: Lead): Way[] {
  const { email, phone } = contactOf(item)
  return [
    ...(email === null ? [] : [{ is: 'email', text: email } as const]),
    ...(phone === null ? [] : [{ is: 'phone', text: displayPhone(phone) } as const]),
  ]
}

function givenName(item: Named): string | null {
  if (isQuestion(item)) return item.person?.name ?? null
  return filled(`${item.user.firstName ?? ''} ${item.user.lastName ?? ''}`.replace(/\s+/g, ' '))
}

export const OPENING_LENGTH = 160

/**
 * The first words of a question on one line, cut where a row could not show more anyway. Half a surrogate pair of the service's
 * is U+FFFD here, as in every page the server writes.
 */
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
