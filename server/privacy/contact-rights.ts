import 'server-only'
import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import { tracesOf } from '@/lib/contacts/contact-leads'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ErasureRequest, KeptOfLead } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { nameOf } from '@/lib/inbox/lead-text'
import { idsByKind, leadKey } from '@/lib/leads/lead-key'
import { schoolOf } from '@/lib/leads/lead-table'
import { command, type CommandParts } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { ContactIds } from '@/server/leads/contact-id'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import { protectedPersons } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { activity, attempts, exports, notes, triage } from '@/server/base/schema'
import { NotFoundError } from '@/server/base/errors'
import { exportsHolding } from '@/server/export/export-log'
import type { LeadParts } from '@/server/leads/select-leads'
import { deleteAdded } from './purge'
import { mayWorkOnLeads } from '@/server/access/users'
import type { Services } from '@/server/base/services'
import { eraseNamingTexts, namingTexts } from './naming-texts'
import { addressesOf, overlap } from './protect'
import { decryptPerson } from '@/server/leads/protected-person'

type Parts = LeadParts & Pick<Services, 'connect' | 'contactIds' | 'users' | 'seal'>

const MAX_LEADS = 500

/** Logged as opening the contact. */
export async function contactRights(parts: Parts & Pick<Services, 'openings'>, viewer: Admin, { id }: { id: string }) {
  const found = (await findContact(parts, viewer, id)).found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(found)) parts.openings.add(viewer.id, kind, ids)
  const kept = await keptAbout(parts.connect, found)
  const people = (await parts.users.list()).filter(mayWorkOnLeads)
  return {
    leads: found.map((lead) => keptOf(lead, kept)),
    ...addressesOf(found),
    isWhole: viewer.schools === 'all',
    protection: await protectionOf(parts, found),
    people: people.map((person) => ({ id: person.id, name: person.name })),
    ...(await namingTexts(parts, viewer, found)),
  }
}

export async function chosenLeads(
  parts: LeadParts & { contactIds: ContactIds },
  viewer: Admin,
  id: string,
  leads: readonly LeadRef[],
): Promise<FoundLead[]> {
  const wanted = new Set(leads.map(leadKey))
  const found = (await findContact(parts, viewer, id)).found.filter((lead) => wanted.has(leadKey(lead)))
  if (found.length < wanted.size) throw new NotFoundError()
  return found
}

function keptOf({ kind, id, table, row, reason }: FoundLead, kept: readonly KeptData[]): KeptOfLead {
  const ofKind = kept.find((one) => one.kind === kind)
  const lead = table.lead(row)
  const traces = tracesOf(lead)
  const count = (rows: readonly { leadId: string }[] = []) => rows.filter(({ leadId }) => leadId === id).length
  return {
    kind,
    id,
    createdAt: lead.createdAt,
    highSchoolId: lead.highSchoolId,
    name: nameOf(lead),
    email: traces.email,
    phone: traces.phone,
    isOther: reason.sameName === false,
    hasTriage: count(ofKind?.triage) > 0,
    attempts: count(ofKind?.attempts),
    notes: count(ofKind?.notes),
    exports: ofKind?.exports.filter(({ ids }) => ids.includes(id)).length ?? 0,
  }
}

/** The protection that covers one of these leads, which the viewer is allowed to see. */
export async function protectionOf(parts: Pick<Parts, 'connect' | 'seal'>, found: readonly FoundLead[]) {
  if (!found.some(({ table, row }) => table.protection?.marks.has(row) === true)) return null
  const contact = { ...addressesOf(found), leads: found }
  const db = await parts.connect()
  for (const row of await db.select().from(protectedPersons)) {
    const person = decryptPerson(parts.seal, row)
    const { emails, phones, reason } = person
    if (overlap(person, contact)) return { id: row.id, emails, phones, people: row.allowedUsers, reason }
  }
  return null
}

/** What the database holds about leads of one kind, still sealed. `ids`: those that an export contained. */
export type KeptData = {
  kind: LeadKind
  triage: (typeof triage.$inferSelect)[]
  attempts: (typeof attempts.$inferSelect)[]
  notes: (typeof notes.$inferSelect)[]
  activity: (typeof activity.$inferSelect)[]
  exports: (Omit<typeof exports.$inferSelect, 'leadIds'> & { ids: readonly string[] })[]
}

export async function keptAbout(connect: Connect, leads: readonly LeadRef[]): Promise<KeptData[]> {
  const db = await connect()
  const kept: KeptData[] = []
  for (const [kind, ids] of idsByKind(leads)) {
    const of = (table: typeof triage | typeof attempts | typeof notes) =>
      and(eq(table.kind, kind), inArray(table.leadId, ids))
    const isDone = and(of(attempts), isNotNull(attempts.outcome))
    const isLogged = and(eq(activity.leadKind, kind), inArray(activity.leadId, ids))
    kept.push({
      kind,
      triage: await db.select().from(triage).where(of(triage)),
      attempts: await db.select().from(attempts).where(isDone).orderBy(asc(attempts.at), asc(attempts.id)),
      notes: await db.select().from(notes).where(of(notes)).orderBy(asc(notes.createdAt), asc(notes.id)),
      activity: await db.select().from(activity).where(isLogged).orderBy(asc(activity.id)),
      exports: await exportsWith(db, kind, ids),
    })
  }
  return kept
}

async function exportsWith(db: Db, kind: LeadKind, ids: readonly string[]): Promise<KeptData['exports']> {
  const holding = await exportsHolding(db, kind, ids)
  const { leadIds: _all, ...columns } = getTableColumns(exports)
  const those = inArray(exports.id, [...holding.keys()])
  const rows = await db.select(columns).from(exports).where(those).orderBy(asc(exports.at))
  return rows.map((row) => ({ ...row, ids: holding.get(row.id) ?? [] }))
}

type ErasingParts = CommandParts & LeadParts & Pick<Services, 'contactIds' | 'announcer' | 'seal' | 'now'>

/** Erases what Intag added (GDPR, article 17). The log stays, with ids alone, for accountability (article 5.2). */
export async function eraseData(
  parts: ErasingParts,
  viewer: Admin,
  { id: contact, leads }: ErasureRequest & { id: string },
) {
  const found = await chosenLeads(parts, viewer, contact, leads)
  const refs = found.map(({ kind, id }) => ({ kind, id }))
  const answer = await command(parts, viewer, 'admin', async (tx, log) => {
    const erased = { leads: refs.length, triage: 0, attempts: 0, notes: 0, exports: 0, views: 0, templates: 0 }
    for (const [kind, ids] of idsByKind(refs)) {
      const added = await deleteAdded(tx, kind, ids, parts.now())
      erased.triage += added.triage
      erased.attempts += added.attempts
      erased.notes += added.notes
      erased.exports += await eraseFromExports(tx, kind, ids)
    }
    Object.assign(erased, await eraseNamingTexts(tx, parts.seal, found))
    await log(...refs.map((lead) => ({ action: 'data-erased' as const, lead })))
    return erased
  })
  announce(parts, viewer, found)
  return answer
}

/** The exports stay in the log with their count, without the ids. */
async function eraseFromExports(tx: Db, kind: LeadKind, ids: readonly string[]): Promise<number> {
  const gone = sql`array(select json_array_elements_text(${JSON.stringify(ids)}::json))`
  const left = sql`array(select id from unnest(${exports.leadIds}) with ordinality as held(id, place)
    where id <> all(${gone}) order by place)`
  const holding = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${gone}`)
  return (await tx.update(exports).set({ leadIds: left }).where(holding).returning({ id: exports.id })).length
}

function announce({ announcer }: ErasingParts, viewer: Admin, found: readonly FoundLead[]): void {
  for (const [kind, ofKind] of groupBy(found, (lead) => lead.kind)) {
    const schools = ofKind.map(({ table, row }) => schoolOf(table, row))
    announcer.triage(kind, viewer.id, new Set(schools))
    ofKind.forEach(({ id }, at) => announcer.lead({ kind, id }, schools[at] ?? '', 'notes'))
  }
}
