import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import type { ContactLead } from '@/lib/contract/contact'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/fold-text'
import type { Bond } from './bond-between'

export type Person = {
  /** As they were given, each spelling that differs once, the newest of those who are surely meant first. */
  names: string[]
  emails: string[]
  phones: string[]
}

/** What the leads of a contact say about who it is; nothing is merged or guessed. */
export function personOf(leads: readonly ContactLead[]): Person {
  const sure = leads.filter(({ reason }) => reason.by === 'anchor')
  const ordered = [...sure, ...leads.filter(({ reason }) => reason.by !== 'anchor')]
  const ways = ordered.map(({ lead }) => contactOf(lead))
  return {
    names: distinct(ordered.map(givenName), foldText),
    emails: distinct(
      ways.map(({ email }) => email),
      comparableEmail,
    ),
    phones: distinct(
      ways.map(({ phone }) => phone),
      comparablePhone,
    ),
  }
}

/** Why each lead stands under the contact; null for the only one of its own. */
export function bondsOf(leads: readonly ContactLead[]): (Bond | null)[] {
  const anchors = leads.filter(({ reason }) => reason.by === 'anchor')
  const shared = anchorWay(anchors)
  return leads.map(({ reason: { by, sameName } }) => {
    if (by !== 'anchor') return { by, sameName }
    return anchors.length > 1 && shared !== null ? { by: shared, sameName } : null
  })
}

/** Those that have the contact's own key share an e-mail, or else a phone. */
function anchorWay(anchors: readonly ContactLead[]): 'same-email' | 'same-phone' | null {
  const emails = new Set(anchors.map(({ lead }) => comparableEmail(contactOf(lead).email)))
  if (emails.size === 1 && !emails.has(null)) return 'same-email'
  const phones = new Set(anchors.map(({ lead }) => comparablePhone(contactOf(lead).phone)))
  return phones.size === 1 && !phones.has(null) ? 'same-phone' : null
}

function givenName({ lead }: ContactLead): string | null {
  if (isQuestion(lead)) return null
  const { firstName, lastName } = lead.user
  return (firstName ?? '').trim() + (lastName ?? '').trim() === '' ? null : nameOf(lead)
}

function distinct(texts: readonly (string | null)[], comparable: (text: string) => string | null): string[] {
  const seen = new Map<string, string>()
  for (const text of texts) {
    const key = text === null ? null : comparable(text)
    if (text !== null && key !== null && !seen.has(key)) seen.set(key, text)
  }
  return [...seen.values()]
}
