import 'server-only'
import type { ContactLead, ContactReason } from '@/lib/contract/contact'
import type { LeadKind, Triage } from '@/lib/contract/lead'
import { services } from '@/server/services'
import type { Candidate } from './contact-candidates'

export type FoundLead = Candidate & { id: string; createdAt: number; reason: ContactReason }

/** The leads as the contract has them, with triage and the contact each is named by. */
export async function describeContactLeads(found: readonly FoundLead[]): Promise<ContactLead[]> {
  const { contactIds } = services()
  const triage = {
    'asked-question': await triageOf('asked-question', found),
    'declaration-of-interest': await triageOf('declaration-of-interest', found),
  }
  return found.map(({ kind, table, row, id, reason }): ContactLead => {
    const lead = table.lead(row)
    const desk = { triage: triage[kind](id), contactId: contactIds.of(kind, lead) }
    return 'user' in lead
      ? { kind: 'declaration-of-interest', lead: { ...lead, ...desk }, reason }
      : { kind: 'asked-question', lead: { ...lead, ...desk }, reason }
  })
}

async function triageOf(kind: LeadKind, found: readonly FoundLead[]): Promise<(id: string) => Triage> {
  const { triage } = services()
  const ids = found.filter((one) => one.kind === kind).map(({ id }) => id)
  return triage.describe(await triage.current(kind), ids)
}
