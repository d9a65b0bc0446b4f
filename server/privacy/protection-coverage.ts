import { toComparableEmail, toComparablePhone } from '@/lib/contacts/contact-key'
import { toTraces } from '@/lib/contacts/contact-leads'
import type { LeadRef } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { protectedPersons } from '@/server/base/access-schema'
import { InvalidInputError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import type { FoundLead } from '@/server/leads/get-contact'
import { decryptPerson } from '@/server/leads/protection-list'

type Addresses = { emails: string[]; phones: string[] }
/** A protection covers every lead with one of its addresses, or only its own leads if the person has no address. */
type Coverage = Addresses & { leads: readonly LeadRef[] }

/** Returns the chosen addresses, or the leads if the contact has none. Throws InvalidInputError for other addresses. */
export function chooseCoverage(leads: readonly FoundLead[], input: Addresses) {
  const knownAddresses = collectAddresses(leads)
  const choose = (field: keyof Addresses, toComparable: (address: string) => string | null) => {
    const chosen = new Set(input[field].map(toComparable))
    const covered = knownAddresses[field].filter((address) => chosen.has(address))
    if (covered.length < chosen.size) throw new InvalidInputError(field)
    return covered
  }
  const addresses = { emails: choose('emails', toComparableEmail), phones: choose('phones', toComparablePhone) }
  if (hasAddress(addresses)) return { ...addresses, leads: [] }
  if (hasAddress(knownAddresses)) throw new InvalidInputError('emails')
  return { ...addresses, leads: leads.map(({ kind, id }) => ({ kind, id })) }
}

/** Finds the protection of a contact, with the ids of the users who may see the person. */
export async function findProtection({ connect, seal }: Services, leads: readonly FoundLead[]) {
  const db = await connect()
  for (const { allowedUserIds, ...row } of await db.select().from(protectedPersons)) {
    const person = decryptPerson(seal, row)
    if (coversAny(person, leads)) return { id: row.id, allowedUserIds, ...person }
  }
  return null
}

export function coversAny(coverage: Coverage, leads: readonly FoundLead[]) {
  return coveragesOverlap(coverage, { ...collectAddresses(leads), leads })
}

export function coveragesOverlap(a: Coverage, b: Coverage) {
  const leadKeys = new Set(b.leads.map(leadKey))
  return (
    a.emails.some((email) => b.emails.includes(email)) ||
    a.phones.some((phone) => b.phones.includes(phone)) ||
    a.leads.some((lead) => leadKeys.has(leadKey(lead)))
  )
}

/** Collects each e-mail and phone once, in comparable form. */
export function collectAddresses(leads: readonly FoundLead[]): Addresses {
  const addresses = leads.map(({ table, row }) => toTraces(table.getLead(row)))
  return {
    emails: [...new Set(addresses.flatMap(({ email }) => email ?? []))],
    phones: [...new Set(addresses.flatMap(({ phone }) => phone ?? []))],
  }
}

function hasAddress({ emails, phones }: Addresses) {
  return emails.length + phones.length > 0
}
