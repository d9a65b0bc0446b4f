import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import type { LeadItem } from '@/lib/api/lead-page'
import type { ContactReason } from '@/lib/contract/contact'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/fold-text'

export type Bond = { by: Exclude<ContactReason['by'], 'anchor'>; sameName: boolean | null }

/** What joins a lead of the contact with the one that is open. */
export function bondBetween(open: LeadItem, other: LeadItem): Bond {
  const [here, there] = [contactOf(open), contactOf(other)]
  const sameEmail = isSame(comparableEmail(here.email), comparableEmail(there.email))
  const samePhone = isSame(comparablePhone(here.phone), comparablePhone(there.phone))
  return { by: wayOf(sameEmail, samePhone), sameName: sameName(open, other) }
}

function wayOf(sameEmail: boolean, samePhone: boolean): Bond['by'] {
  if (sameEmail) return samePhone ? 'same-email-and-phone' : 'same-email'
  return samePhone ? 'same-phone' : 'through-others'
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && a === b
}

/** Null where one of the two has no name. Case, accents and spaces make no other name. */
function sameName(a: LeadItem, b: LeadItem): boolean | null {
  const [first, second] = [comparableName(a), comparableName(b)]
  return first === '' || second === '' ? null : first === second
}

function comparableName(lead: LeadItem): string {
  if (isQuestion(lead)) return ''
  return foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim()
}
