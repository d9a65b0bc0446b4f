import type { LeadItem } from '@/lib/api/leads'
import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import type { Contact, ContactLead, ContactReason } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { minorByYear } from '@/lib/leads/enrollment-year'

export type Person = {
  /** As they were given, each once; first those of the leads that have the contact's own key, the newest first. */
  names: string[]
  emails: Address[]
  phones: Address[]
}

/** No names where it came with questions only. */
export type Address = { text: string; names: string[] }

export function personOf(leads: readonly ContactLead[]): Person {
  const sure = leads.filter(({ reason }) => reason.by === 'anchor')
  const ordered = [...sure, ...leads.filter(({ reason }) => reason.by !== 'anchor')]
  const addressesIn = (field: 'email' | 'phone', comparable: (text: string) => string | null): Address[] => {
    const given = ordered.flatMap((lead) => {
      const text = contactOf(lead.lead)[field]
      const key = text === null ? null : comparable(text)
      return text === null || key === null ? [] : [{ text, key, name: givenName(lead) }]
    })
    return [...groupBy(given, ({ key }) => key).values()].map((same) => ({
      text: same[0]?.text ?? '',
      names: distinct(same.map(({ name }) => name)),
    }))
  }
  return {
    names: distinct(ordered.map(givenName)),
    emails: addressesIn('email', comparableEmail),
    phones: addressesIn('phone', comparablePhone),
  }
}

function givenName({ lead }: ContactLead): string | null {
  if (isQuestion(lead)) return null
  const { firstName, lastName } = lead.user
  return (firstName ?? '').trim() + (lastName ?? '').trim() === '' ? null : nameOf(lead)
}

function distinct(names: readonly (string | null)[]): string[] {
  const given = names.filter((name) => name !== null)
  return [...groupBy(given, foldText).values()].flatMap(([first]) => first ?? [])
}

/** Why a lead is thought to be the same person's; `sameName` is null where one of the two has no name. */
export type Connection = { by: Exclude<ContactReason['by'], 'anchor'>; sameName: boolean | null }

/**
 * Which leads one decision may cover: those of one name that share an address with `start`, and those without a name whose
 * addresses no other name has. None where two names share what `start` has, as children do a parent's address, nor where
 * the contact has more leads than are here: the names of all count, before any is left out.
 */
export function leadsOfOnePerson(
  { leads, total }: Pick<Contact, 'leads' | 'total'>,
  start: readonly LeadItem[],
): ContactLead[] {
  if (leads.length < total) return []
  const all = leads.map((one) => ({ one, name: comparableName(one.lead), addresses: addressesOf(one.lead) }))
  const ofStart = new Set(start.flatMap(addressesOf))
  const sharing = all.filter(({ addresses }) => addresses.some((address) => ofStart.has(address)))
  const named = start.map(comparableName).filter((name) => name !== '')
  const names = new Set(named.length > 0 ? named : sharing.map(({ name }) => name).filter((name) => name !== ''))
  if (names.size > 1) return []
  const others = all.filter(({ name }) => name !== '' && !names.has(name))
  const ofOthers = new Set(others.flatMap(({ addresses }) => addresses))
  return sharing.flatMap(({ one, name, addresses }) => {
    const isTheirs = name === '' ? !addresses.some((address) => ofOthers.has(address)) : names.has(name)
    return isTheirs ? [one] : []
  })
}

function addressesOf(lead: LeadItem): string[] {
  const { email, phone } = contactOf(lead)
  const [mailed, called] = [comparableEmail(email), comparablePhone(phone)]
  return [...(mailed === null ? [] : [`email ${mailed}`]), ...(called === null ? [] : [`phone ${called}`])]
}

/** Why each lead belongs to the contact; null for the only lead that has the contact's own key. */
export function connectionsOf(leads: readonly ContactLead[]): (Connection | null)[] {
  const anchors = leads.filter(({ reason }) => reason.by === 'anchor')
  const emails = new Set(anchors.map(({ lead }) => comparableEmail(contactOf(lead).email)))
  const phones = new Set(anchors.map(({ lead }) => comparablePhone(contactOf(lead).phone)))
  const isOne = (keys: ReadonlySet<string | null>) => keys.size === 1 && !keys.has(null)
  const shared = isOne(emails) ? 'same-email' : isOne(phones) ? 'same-phone' : null
  return leads.map(({ reason: { by, sameName } }) => {
    if (by !== 'anchor') return { by, sameName }
    return anchors.length > 1 && shared !== null ? { by: shared, sameName } : null
  })
}

export function connectionBetween(open: LeadItem, other: LeadItem): Connection {
  const [here, there] = [contactOf(open), contactOf(other)]
  const email = comparableEmail(here.email)
  const phone = comparablePhone(here.phone)
  const sameEmail = email !== null && email === comparableEmail(there.email)
  const samePhone = phone !== null && phone === comparablePhone(there.phone)
  const byPhone = samePhone ? 'same-phone' : 'through-others'
  const byEmail = samePhone ? 'same-email-and-phone' : 'same-email'
  const [name, otherName] = [comparableName(open), comparableName(other)]
  const sameName = name === '' || otherName === '' ? null : name === otherName
  return { by: sameEmail ? byEmail : byPhone, sameName }
}

function comparableName(lead: LeadItem): string {
  if (isQuestion(lead)) return ''
  return foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim()
}

/** Whether they may be under 16, by the enrollment years of the lead and of declarations with the same e-mail. */
export function mayBeMinor(own: LeadItem, others: readonly LeadItem[], thisYear: number): boolean {
  const email = comparableEmail(contactOf(own).email)
  const same = others.filter((lead) => email !== null && comparableEmail(contactOf(lead).email) === email)
  return [own, ...same].some(
    (lead) => !isQuestion(lead) && minorByYear(lead.user.highSchoolEnrollmentYear, thisYear) !== null,
  )
}
