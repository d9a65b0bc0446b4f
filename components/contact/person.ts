import type { LeadItem } from '@/lib/api/leads'
import { tracesOf } from '@/lib/contacts/contact-leads'
import type { Contact, ContactLead, ContactReason } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { minorByYear } from '@/lib/leads/enrollment-year'

export type Person = {
  /** Each name stands once, as it was given; first come those of the leads that have the contact's own key, the newest first. */
  names: string[]
  emails: Address[]
  phones: Address[]
}

/** An address that came with questions only has no names. */
type Address = { text: string; names: string[] }

export function personOf(leads: readonly ContactLead[]): Person {
  const isSure = ({ reason }: ContactLead) => reason.by === 'anchor'
  const ordered = [...leads.filter(isSure), ...leads.filter((one) => !isSure(one))].map(({ lead }) => {
    const traces = tracesOf(lead)
    return { given: contactOf(lead), traces, name: traces.name === null ? null : nameOf(lead) }
  })
  const distinct = (names: readonly (string | null)[]) =>
    [...groupBy(names, (name) => name && foldText(name)).values()].flatMap(([first]) => first ?? [])
  const addressesIn = (field: 'email' | 'phone') => {
    const given = ordered.filter(({ traces }) => traces[field] !== null)
    return [...groupBy(given, ({ traces }) => traces[field]).values()].map((same) => ({
      text: same[0]?.given[field] ?? '',
      names: distinct(same.map(({ name }) => name)),
    }))
  }
  return {
    names: distinct(ordered.map(({ name }) => name)),
    emails: addressesIn('email'),
    phones: addressesIn('phone'),
  }
}

/** Why a lead is thought to be the same person's; `sameName` is null where one of the two has no name. */
export type Connection = { by: Exclude<ContactReason['by'], 'anchor'>; sameName: boolean | null }

/**
 * One decision may cover the leads of one name that share an address with `start`, and those without a name whose addresses
 * no other name has. It covers none where two names share what `start` has, as children do a parent's address, nor where
 * the contact has more leads than are here: the names of all count, before any is left out.
 */
export function leadsOfOnePerson(
  { leads, total }: Pick<Contact, 'leads' | 'total'>,
  start: readonly LeadItem[],
): ContactLead[] {
  if (leads.length < total) return []
  const addressesOf = (lead: LeadItem) => {
    const { email, phone } = tracesOf(lead)
    return [email && `email ${email}`, phone && `phone ${phone}`].filter((address) => address !== null)
  }
  const all = leads.map((one) => ({ one, name: tracesOf(one.lead).name, addresses: addressesOf(one.lead) }))
  const ofStart = new Set(start.flatMap(addressesOf))
  const sharing = all.filter(({ addresses }) => addresses.some((address) => ofStart.has(address)))
  const given = (names: readonly (string | null)[]) => new Set(names.filter((name) => name !== null))
  const named = given(start.map((lead) => tracesOf(lead).name))
  const names = named.size > 0 ? named : given(sharing.map(({ name }) => name))
  if (names.size > 1) return []
  const others = all.filter(({ name }) => name !== null && !names.has(name))
  const ofOthers = new Set(others.flatMap(({ addresses }) => addresses))
  return sharing.flatMap(({ one, name, addresses }) => {
    const isTheirs = name === null ? !addresses.some((address) => ofOthers.has(address)) : names.has(name)
    return isTheirs ? [one] : []
  })
}

/** Tells why each lead belongs to the contact: those that have the contact's own key share an e-mail, or else a phone. */
export function connectionsOf(leads: readonly ContactLead[]): Connection[] {
  const emails = leads.flatMap(({ lead, reason }) => (reason.by === 'anchor' ? [tracesOf(lead).email] : []))
  const shared = emails[0] !== null && new Set(emails).size === 1 ? 'same-email' : 'same-phone'
  return leads.map(({ reason: { by, sameName } }) => ({ by: by === 'anchor' ? shared : by, sameName }))
}

export function connectionBetween(open: LeadItem, other: LeadItem): Connection {
  const [here, there] = [tracesOf(open), tracesOf(other)]
  const isSame = (field: 'email' | 'phone' | 'name') => here[field] !== null && here[field] === there[field]
  const byEmail = isSame('phone') ? 'same-email-and-phone' : 'same-email'
  const byPhone = isSame('phone') ? 'same-phone' : 'through-others'
  const sameName = here.name === null || there.name === null ? null : isSame('name')
  return { by: isSame('email') ? byEmail : byPhone, sameName }
}

/** Tells whether the person may be under 16, by the enrollment years of the lead and of declarations with the same e-mail. */
export function mayBeMinor(own: LeadItem, others: readonly LeadItem[], thisYear: number): boolean {
  const { email } = tracesOf(own)
  const same = others.filter((lead) => email !== null && tracesOf(lead).email === email)
  return [own, ...same].some(
    (lead) => !isQuestion(lead) && minorByYear(lead.user.highSchoolEnrollmentYear, thisYear) !== null,
  )
}
