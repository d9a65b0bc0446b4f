import type { LeadItem } from '@/lib/api/leads'
import { type Traces, toTraces } from '@/lib/contacts/contact-leads'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { findDisplayName, readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import { classifyMinor } from '@/lib/leads/enrollment-year'

/** Lists a contact's names, e-mails and phones, each once. Names of leads with the contact's own key come first. */
export function summarizePerson(leads: readonly ContactLead[]) {
  const isAnchor = ({ reason }: ContactLead) => reason.by === 'anchor'
  const anchorsFirst = leads.toSorted((a, b) => Number(isAnchor(b)) - Number(isAnchor(a)))
  const tracedLeads = anchorsFirst.map(({ kind, lead }) => {
    const traces = toTraces(lead)
    const name = traces.name === null ? null : findDisplayName(lead)
    return { kind, id: lead.id, ...readEmailAndPhone(lead), traces, name }
  })
  const listNames = (group: typeof tracedLeads) =>
    [...groupBy(group, ({ traces }) => traces.name).values()].flatMap(([first]) => first?.name ?? [])
  const listAddresses = (field: 'email' | 'phone') => {
    const leadsWithAddress = tracedLeads.filter(({ traces }) => traces[field] !== null)
    return [...groupBy(leadsWithAddress, ({ traces }) => traces[field]).values()].map((group) => ({
      text: group[0]?.[field] ?? '',
      names: listNames(group),
      // The button to mail opens a declaration rather than a question, because a declaration has a name.
      lead: group.find(({ kind }) => kind === 'declaration-of-interest') ?? group[0],
    }))
  }
  return { names: listNames(tracedLeads), emails: listAddresses('email'), phones: listAddresses('phone') }
}

/**
 * Selects the leads that one decision may cover: those of one name that share an e-mail or phone with `anchorLeads`,
 * and nameless ones that share it with no other name. It selects none if two names share it, as siblings do their
 * parent's, or if not all leads were loaded, because one of them may have another name.
 */
export function selectPersonLeads(
  { leads, total }: Pick<Contact, 'leads' | 'total'>,
  anchorLeads: readonly LeadItem[],
): ContactLead[] {
  if (leads.length < total) return []
  const anchorTraces = anchorLeads.map(toTraces)
  const tracedLeads = leads.map((contactLead) => ({ contactLead, ...toTraces(contactLead.lead) }))
  const sharingLeads = tracedLeads.filter((traced) => sharesAddress(traced, anchorTraces))
  const anchorNames = collectNames(anchorTraces)
  const names = anchorNames.size > 0 ? anchorNames : collectNames(sharingLeads)
  if (names.size > 1) return []
  const leadsOfOthers = tracedLeads.filter(({ name }) => name !== null && !names.has(name))
  return sharingLeads
    .filter((traced) => (traced.name === null ? !sharesAddress(traced, leadsOfOthers) : names.has(traced.name)))
    .map(({ contactLead }) => contactLead)
}

const collectNames = (leads: readonly Traces[]) => new Set(leads.flatMap(({ name }) => name ?? []))

function sharesAddress({ email, phone }: Traces, others: readonly Traces[]): boolean {
  return others.some((other) => (email !== null && email === other.email) || (phone !== null && phone === other.phone))
}

/** Tells which addresses two leads share. `hasSameName` is null if one of them has no name. */
export function compareLeads(one: LeadItem, other: LeadItem) {
  const [a, b] = [toTraces(one), toTraces(other)]
  const isSame = (field: 'email' | 'phone' | 'name') => a[field] !== null && a[field] === b[field]
  const hasSameName = a.name === null || b.name === null ? null : isSame('name')
  if (!isSame('email')) return { reason: isSame('phone') ? 'same-phone' : 'through-others', hasSameName } as const
  return { reason: isSame('phone') ? 'same-email-and-phone' : 'same-email', hasSameName } as const
}

/** Tells whether the person may be under 16, by the enrollment years of the lead and of others with its e-mail. */
export function mayBeMinor(item: LeadItem, otherLeads: readonly LeadItem[], thisYear: number): boolean {
  const { email } = toTraces(item)
  const sameEmailLeads = otherLeads.filter((lead) => email !== null && toTraces(lead).email === email)
  return [item, ...sameEmailLeads].some(
    (lead) => !isQuestion(lead) && classifyMinor(lead.user.highSchoolEnrollmentYear, thisYear) !== null,
  )
}
