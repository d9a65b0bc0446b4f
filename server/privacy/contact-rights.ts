import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ContactRights, ErasureRequest, Extract, ExtractRequest } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { idsByKind, leadKey } from '@/lib/leads/lead-key'
import { schoolOf } from '@/lib/leads/lead-table'
import { command } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { exports } from '@/server/base/schema'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import type { Services } from '@/server/base/services'
import { deleteAdded } from './absences'
import { describeStaff, keptAbout } from './kept-about'
import { eraseMentions, findMentions, findMentionsByAddress } from './mentions'
import { addressesOf, findProtection } from './protect'

const MAX_LEADS = 500

/** Logged as opening the contact. */
export async function contactRights(services: Services, viewer: Admin, { id }: { id: string }): Promise<ContactRights> {
  const found = (await findContact(services, viewer, id)).found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(found)) services.openings.add(viewer.id, kind, ids)
  const kept = await keptAbout(services, found, await describeStaff(services))
  const protection = await findProtection(services, found)
  return {
    leads: kept.map((lead, place) => ({ ...lead, isOther: found[place]?.reason.sameName === false })),
    ...addressesOf(found),
    isWhole: viewer.schools === 'all',
    protection: protection && {
      id: protection.id,
      emails: protection.emails,
      phones: protection.phones,
      people: protection.people,
    },
    mentions: await findMentions(services, viewer, found),
  }
}

/** GDPR, articles 15 and 20. */
export async function makeExtract(
  services: Services,
  viewer: Admin,
  { id, leads }: ExtractRequest & { id: string },
): Promise<Extract> {
  const found = await chosenLeads(services, viewer, id, leads)
  const staff = await describeStaff(services)
  const kept = await keptAbout(services, found, staff)
  const protection = await findProtection(services, found)
  const extract = {
    madeAt: new Date(services.now()).toISOString(),
    isWhole: viewer.schools === 'all',
    leads: kept,
    mentions: await findMentionsByAddress(services, viewer, found),
    protection: protection && {
      emails: protection.emails,
      phones: protection.phones,
      reason: protection.reason,
      people: protection.people.map(staff),
    },
  }
  const entries = found.map((lead) => ({ action: 'extract-made', lead: { kind: lead.kind, id: lead.id } }) as const)
  await command(services, viewer, 'admin', (_tx, log) => log(...entries))
  return extract
}

/** Erases what Intag added (GDPR, article 17). The log stays, with ids alone, for accountability (article 5.2). */
export async function eraseData(
  services: Services,
  viewer: Admin,
  { id: contact, leads }: ErasureRequest & { id: string },
): Promise<void> {
  const found = await chosenLeads(services, viewer, contact, leads)
  const refs = found.map(({ kind, id }) => ({ kind, id }))
  await command(services, viewer, 'admin', async (tx, log) => {
    for (const [kind, ids] of idsByKind(refs)) {
      await deleteAdded(tx, kind, ids, services.now())
      await eraseFromExports(tx, kind, ids)
    }
    await eraseMentions(tx, services.seal, found)
    await log(...refs.map((lead) => ({ action: 'data-erased' as const, lead })))
  })
  for (const [kind, ofKind] of groupBy(found, (lead) => lead.kind)) {
    const schools = ofKind.map(({ table, row }) => schoolOf(table, row))
    services.announcer.triage(kind, viewer.id, new Set(schools))
    ofKind.forEach(({ id }, place) => services.announcer.lead({ kind, id }, schools[place] ?? '', 'notes'))
  }
}

async function chosenLeads(
  services: Services,
  viewer: Admin,
  id: string,
  leads: readonly LeadRef[],
): Promise<FoundLead[]> {
  const wanted = new Set(leads.map(leadKey))
  const found = (await findContact(services, viewer, id)).found.filter((lead) => wanted.has(leadKey(lead)))
  if (found.length < wanted.size) throw new NotFoundError()
  return found
}

/** The exports stay in the log with their count, without the ids. */
async function eraseFromExports(tx: Db, kind: LeadKind, ids: readonly string[]): Promise<void> {
  const gone = sql`array(select json_array_elements_text(${JSON.stringify(ids)}::json))`
  const left = sql`array(select id from unnest(${exports.leadIds}) with ordinality as held(id, place)
    where id <> all(${gone}) order by place)`
  const holding = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${gone}`)
  await tx.update(exports).set({ leadIds: left }).where(holding)
}
