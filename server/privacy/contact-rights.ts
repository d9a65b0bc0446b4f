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
import { findContact } from '@/server/leads/get-contact'
import { erasePersonMentions, findAddressMentions, findPersonMentions } from './mentions'
import { collectAddresses, findProtection } from './protection-coverage'
import { deleteStaffData } from './retention'
import { readStoredLeads } from './stored-leads'

const MAX_LEADS = 500

/** Returns what Intag stores about a contact. Its leads are logged as opened. */
export async function getContactRights(services: Services, viewer: Admin, { id }: { id: string }) {
  const found = (await findContact(services, viewer, id)).found.slice(0, MAX_LEADS)
  for (const [kind, ids] of groupIdsByKind(found)) services.leadOpenings.add(viewer.id, kind, ids)
  const { storedLeads } = await readStoredLeads(services, found)
  const protection = await findProtection(services, found)
  return {
    leads: storedLeads.map((lead, index) => ({ ...lead, isOther: found[index]?.reason.sameName === false })),
    ...collectAddresses(found),
    isWhole: viewer.schools === 'all',
    protection: protection && {
      id: protection.id,
      emails: protection.emails,
      phones: protection.phones,
      people: protection.allowedUsers,
    },
    mentions: await findPersonMentions(services, viewer, found),
  } satisfies ContactRights
}

type ChosenLeads = { id: string; leads: LeadRef[] }

/** Makes the extract for the person (GDPR, articles 15 and 20), and logs it. */
export async function makeExtract(services: Services, viewer: Admin, request: ChosenLeads) {
  const found = await findChosen(services, viewer, request)
  const { storedLeads, describeStaff } = await readStoredLeads(services, found)
  const protection = await findProtection(services, found)
  const extract = {
    madeAt: new Date(services.now()).toISOString(),
    isWhole: viewer.schools === 'all',
    leads: storedLeads,
    mentions: await findAddressMentions(services, viewer, found),
    protection: protection && {
      emails: protection.emails,
      phones: protection.phones,
      reason: protection.reason,
      people: protection.allowedUsers.map(describeStaff),
    },
  }
  const entries = found.map(({ kind, id }) => ({ action: 'extract-made', lead: { kind, id } }) as const)
  await executeCommand(services, viewer, 'admin', (_tx, log) => log(...entries))
  return extract
}

/** Erases what Intag added (GDPR, article 17). The log stays, with ids alone, for accountability (article 5.2). */
export async function eraseData(services: Services, viewer: Admin, request: ChosenLeads) {
  const { seal, now, announcer } = services
  const found = await findChosen(services, viewer, request)
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    for (const [kind, ids] of groupIdsByKind(found)) {
      await deleteStaffData(tx, kind, ids, now())
      await removeFromExports(tx, kind, ids)
    }
    await erasePersonMentions(tx, seal, found)
    await log(...found.map(({ kind, id }) => ({ action: 'data-erased', lead: { kind, id } }) as const))
  })
  const erased = found.map(({ kind, id, table, row }) => ({ kind, id, school: getSchoolId(table, row) }))
  for (const { school, ...lead } of erased) announcer.announceNotes(lead, school)
  for (const [kind, leads] of groupBy(erased, (lead) => lead.kind))
    announcer.announceTriage(kind, viewer.id, new Set(leads.map(({ school }) => school)))
}

async function findChosen(services: Services, viewer: Admin, { id, leads }: ChosenLeads) {
  const chosen = new Set(leads.map(leadKey))
  const found = (await findContact(services, viewer, id)).found.filter((lead) => chosen.has(leadKey(lead)))
  if (found.length < chosen.size) throw new NotFoundError()
  return found
}
