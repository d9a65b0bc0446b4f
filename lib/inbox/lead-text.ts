import type { LeadItem } from '@/lib/api/leads'
import { displayPhone } from '@/lib/contacts/phone'
import type { AskedQuestionItem } from '@/lib/contract/lead'

type Contact = { email: string | null; phone: string | null }

export function isQuestion(item: LeadItem): item is AskedQuestionItem {
  return 'question' in item
}

export function contactOf(item: LeadItem): Contact {
  const { email, phone } = isQuestion(item) ? item.sender : item.user
  return { email: filled(email), phone: filled(phone) }
}

/** What a person's row and page are headed by: the name, or else what they can be reached by; null when there is nothing. */
export function nameOf(item: LeadItem): string | null {
  return givenName(item) ?? waysOf(item)[0]?.text ?? null
}

type Way = { is: 'email' | 'phone'; text: string }

/** How a row says the person can be reached: the first way that its heading does not say already. */
export function wayBesideHeading(item: LeadItem): Way | null {
  const isSaid = !isQuestion(item) && givenName(item) === null
  return waysOf(item)[isSaid ? 1 : 0] ?? null
}

function waysOf(item: LeadItem): Way[] {
  const { email, phone } = contactOf(item)
  return [
    ...(email === null ? [] : [{ is: 'email', text: email } as const]),
    ...(phone === null ? [] : [{ is: 'phone', text: displayPhone(phone) } as const]),
  ]
}

function givenName(item: LeadItem): string | null {
  if (isQuestion(item)) return null
  return filled(`${item.user.firstName ?? ''} ${item.user.lastName ?? ''}`.replace(/\s+/g, ' '))
}

const OPENING_LENGTH = 160

/** The first words of a question on one line, cut where a row could not show more anyway. */
export function openingOf(question: string): string {
  const line = question
    .slice(0, OPENING_LENGTH * 2)
    .replace(/\s+/gu, ' ')
    .trim()
  return line.length > OPENING_LENGTH ? `${line.slice(0, OPENING_LENGTH).trimEnd()}…` : line
}

function filled(text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
