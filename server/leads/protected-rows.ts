import {
  hashEmail,
  hashPhone,
  readContactDetails,
  toComparableEmail,
  toComparablePhone,
} from '@/lib/contacts/contact-key'
import { findRowsWithKey } from '@/lib/contacts/person-index'
import { leadKey, parseLeadKey } from '@/lib/leads/lead-key'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Protection } from './protection-list'

/** Finds the rows of protected persons, with the protections of each. The hashes only pre-select: they can collide. */
export function findProtectedRows(protections: readonly Protection[], table: LeadTable) {
  const candidates = new Set<number>()
  for (const { emails, phones, leadKeys } of protections) {
    for (const email of emails) for (const row of findRowsWithKey(table.emailKey, hashEmail(email))) candidates.add(row)
    for (const phone of phones) for (const row of findRowsWithKey(table.phoneKey, hashPhone(phone))) candidates.add(row)
    for (const key of leadKeys) {
      const { kind, id } = parseLeadKey(key)
      const row = kind === table.kind ? table.findRow(id) : -1
      if (row !== -1) candidates.add(row)
    }
  }
  const protectionsByRow = new Map<number, readonly Protection[]>()
  for (const row of candidates) {
    const lead = table.getLead(row)
    const contact = readContactDetails(lead)
    const email = toComparableEmail(contact.email)
    const phone = toComparablePhone(contact.phone)
    const key = leadKey({ kind: table.kind, id: lead.id })
    const matches = protections.filter(
      ({ emails, phones, leadKeys }) =>
        (email !== null && emails.has(email)) || (phone !== null && phones.has(phone)) || leadKeys.has(key),
    )
    if (matches.length > 0) protectionsByRow.set(row, matches)
  }
  return protectionsByRow
}
