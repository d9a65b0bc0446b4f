import type { LeadItem } from '@/lib/api/leads'
import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import type { ContactLead, ContactReason } from '@/lib/contract/contact'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'

export type Person = {
  /** As they were given, each once; first those of the leads that have the contact's own key, the newest first. */
  names: string[]
  emails: Way[]
  phones: Way[]
}

/** An e-mail or a phone, and the names that were given with it; none where it came with questions only. */
export type Way = { text: string; names: string[] }

/** What the leads of a contact say about who it is; nothing is merged or guessed. */
export function personOf(leads: readonly ContactLead[]): Person {
  const sure = leads.filter(({ reason }) => reason.by === 'anchor')
  const ordered = [...sure, ...leads.filter(({ reason }) => reason.by !== 'anchor')]
  const waysOf = (field: 'email' | 'phone', comparable: (text: string) => string | null) => {
    const given = ordered.map((lead) => ({ text: contactOf(lead.lead)[field], lead }))
    const texts = distinct(
      given.map(({ text }) => text),
      comparable,
    )
    return texts.map((text): Way => {
      const own = given.filter((one) => one.text !== null && comparable(one.text) === comparable(text))
      const names = own.map(({ lead }) => givenName(lead))
      return { text, names: distinct(names, foldText) }
    })
  }
  return {
    names: distinct(ordered.map(givenName), foldText),
    emails: waysOf('email', comparableEmail),
    phones: waysOf('phone', comparablePhone),
  }
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

/** Why a lead is thought to be the same person's; `sameName` is null where one of the two has no name. */
export type Connection = { by: Exclude<ContactReason['by'], 'anchor'>; sameName: boolean | null }

/** Whether one may act on both at once: not where the names differ, and not through others. */
export function isSamePerson({ by, sameName }: Pick<ContactReason, 'by' | 'sameName'>): boolean {
  return sameName !== false && by !== 'through-others'
}

/** Why each lead stands under the contact; null for the only lead that has the contact's own key. */
export function connectionsOf(leads: readonly ContactLead[]): (Connection | null)[] {
  const anchors = leads.filter(({ reason }) => reason.by === 'anchor')
  const shared = sharedWay(anchors)
  return leads.map(({ reason: { by, sameName } }) => {
    if (by !== 'anchor') return { by, sameName }
    return anchors.length > 1 && shared !== null ? { by: shared, sameName } : null
  })
}

/** What the leads with the contact's own key have in common: an e-mail, or else a phone. */
function sharedWay(anchors: readonly ContactLead[]): 'same-email' | 'same-phone' | null {
  const emails = new Set(anchors.map(({ lead }) => comparableEmail(contactOf(lead).email)))
  if (emails.size === 1 && !emails.has(null)) return 'same-email'
  const phones = new Set(anchors.map(({ lead }) => comparablePhone(contactOf(lead).phone)))
  return phones.size === 1 && !phones.has(null) ? 'same-phone' : null
}

/** What joins a lead of the contact with the one that is open. */
export function connectionBetween(open: LeadItem, other: LeadItem): Connection {
  const [here, there] = [contactOf(open), contactOf(other)]
  const sameEmail = isSame(comparableEmail(here.email), comparableEmail(there.email))
  const samePhone = isSame(comparablePhone(here.phone), comparablePhone(there.phone))
  return { by: wayOf(sameEmail, samePhone), sameName: haveSameName(open, other) }
}

function wayOf(sameEmail: boolean, samePhone: boolean): Connection['by'] {
  if (sameEmail) return samePhone ? 'same-email-and-phone' : 'same-email'
  return samePhone ? 'same-phone' : 'through-others'
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && a === b
}

/** Null where one of the two has no name. Case, accents and spaces make no other name. */
function haveSameName(a: LeadItem, b: LeadItem): boolean | null {
  const [first, second] = [comparableName(a), comparableName(b)]
  return first === '' || second === '' ? null : first === second
}

function comparableName(lead: LeadItem): string {
  if (isQuestion(lead)) return ''
  return foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim()
}
