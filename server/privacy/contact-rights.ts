import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { groupIdsByKind, leadKey } from '@/lib/leads/lead-key'
import { getSchoolId } from '@/lib/leads/lead-table'
import { executeCommand } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { removeFromExports } from '@/server/export/exported-leads'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import { erasePersonMentions, findAddressMentions, findPersonMentions } from './mentions'
import { collectAddresses, findProtection } from './protection-coverage'
import { deleteStaffData } from './retention'
import { readStoredLeads } from './stored-leads'

/** One request can choose no more leads. */
const MAX_LEADS = 500

/** Returns what Intag stores about a contact, for the rights of a data subject (GDPR). Logs its leads as opened. */
export async function getContactRights(services: Services, viewer: Admin, { id }: { id: string }) {
  const contact = await findContact(services, viewer, id)
  const leads = contact.leads.slice(0, MAX_LEADS)
  for (const [kind, ids] of groupIdsByKind(leads)) services.leadOpenings.add(viewer.id, kind, ids)
  // The stored leads have the order of `leads`.
  const { storedLeads } = await readStoredLeads(services, leads)
  const protection = await findProtection(services, leads)
  return {
    leads: storedLeads.map((lead, index) => ({ ...lead, isOther: leads[index]?.reason.sameName === false })),
    ...collectAddresses(leads),
    isWhole: isWhole(viewer, contact.leads),
    protection: protection && {
      id: protection.id,
      emails: protection.emails,
      phones: protection.phones,
      people: protection.allowedUserIds,
    },
    mentions: await findPersonMentions(services, viewer, leads),
  } satisfies ContactRights
}

/** A contact is whole for viewers of all schools, unless it has more leads than can be listed and chosen. */
const isWhole = ({ schools }: Admin, leads: readonly FoundLead[]) => schools === 'all' && leads.length <= MAX_LEADS

type ChosenLeads = { id: string; leads: LeadRef[] }

/** Makes the extract for the person (GDPR, articles 15 and 20), and logs it. */
export async function makeExtract(services: Services, viewer: Admin, request: ChosenLeads) {
  const { contactLeads, leads } = await findChosenLeads(services, viewer, request)
  const { storedLeads, describeStaff } = await readStoredLeads(services, leads)
  const protection = await findProtection(services, leads)
  const extract = {
    madeAt: new Date(services.now()).toISOString(),
    isWhole: isWhole(viewer, contactLeads),
    leads: storedLeads,
    mentions: await findAddressMentions(services, leads),
    protection: protection && {
      emails: protection.emails,
      phones: protection.phones,
      reason: protection.reason,
      people: protection.allowedUserIds.map(describeStaff),
    },
  }
  const entries = leads.map(({ kind, id }) => ({ action: 'extract-made', lead: { kind, id } }) as const)
  await executeCommand(services, viewer, 'admin', (_tx, log) => log(...entries))
  return extract
}

/** Erases what Intag added (GDPR, article 17). The log stays, with ids alone, for accountability (article 5.2). */
export async function eraseData(services: Services, viewer: Admin, request: ChosenLeads) {
  const { seal, now, announcer } = services
  const { leads } = await findChosenLeads(services, viewer, request)
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    for (const [kind, ids] of groupIdsByKind(leads)) {
      await deleteStaffData(tx, kind, ids, now())
      await removeFromExports(tx, kind, ids)
    }
    await erasePersonMentions(tx, seal, leads)
    await log(...leads.map(({ kind, id }) => ({ action: 'data-erased', lead: { kind, id } }) as const))
  })
  for (const { kind, id, table, row } of leads) announcer.announceNotes({ kind, id }, getSchoolId(table, row))
  for (const [kind, leadsOfKind] of groupBy(leads, (lead) => lead.kind))
    announcer.announceTriage(kind, viewer.id, new Set(leadsOfKind.map(({ table, row }) => getSchoolId(table, row))))
}

/** Throws NotFoundError if the contact lacks a chosen lead. */
async function findChosenLeads(services: Services, viewer: Admin, { id, leads }: ChosenLeads) {
  const chosenKeys = new Set(leads.map(leadKey))
  const { leads: contactLeads } = await findContact(services, viewer, id)
  const chosenLeads = contactLeads.filter((lead) => chosenKeys.has(leadKey(lead)))
  if (chosenLeads.length < chosenKeys.size) throw new NotFoundError()
  return { contactLeads, leads: chosenLeads }
}
