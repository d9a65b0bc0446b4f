import 'server-only'
import { and, asc, eq, getTableColumns, inArray, isNotNull, or } from 'drizzle-orm'
import { tracesOf } from '@/lib/contacts/contact-leads'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { ContactRights, KeptOfLead } from '@/lib/contract/rights'
import { nameOf } from '@/lib/inbox/lead-text'
import type { Allowed } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { ContactIds } from '@/server/contacts/contact-id'
import { findContact, type FoundLead } from '@/server/contacts/get-contact'
import { protectedPersons } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { activity, attempts, exports, notes, triage } from '@/server/db/schema'
import { NotFoundError } from '@/server/errors'
import { exportsHolding } from '@/server/export/export-log'
import type { LeadParts } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { mayWorkOnLeads } from '@/server/users/people'
import type { Users } from '@/server/users/users'
import { known, overlap } from './protect'
import { namingTexts } from './naming-texts'
import { nameOfLead, openPerson } from './protections'

type Parts = LeadParts & { connect: Connect; contactIds: ContactIds; users: Pick<Users, 'list'>; seal: Seal }
type Looking = { reading: Pick<Reading, 'shown' | 'opened'> }

const MOST_LEADS = 500

/** What an administrator decides by. Asking is looking at the person, as on their page. */
export async function contactRights(
  parts: Parts & Looking,
  viewer: Allowed<'admin'>,
  { id }: { id: string },
): Promise<ContactRights> {
  const { found: all, named } = await findContact(parts, viewer, id)
  const found = all.slice(0, MOST_LEADS)
  parts.reading.opened(viewer.id, { kind: named.kind, id: named.id })
  for (const one of found) parts.reading.shown(viewer.id, one.kind, [one.id])
  const kept = await keptAbout(parts.connect, found)
  const people = (await parts.users.list()).filter(mayWorkOnLeads)
  return {
    leads: found.map((lead) => keptOf(lead, kept)),
    ...known(found),
    isWhole: viewer.schools === 'all',
    protection: await protectionOf(parts, found),
    people: people.map((person) => ({ id: person.id, name: person.name })),
    ...(await namingTexts(parts, viewer, found)),
  }
}

/** NotFoundError when one of the leads is not the contact's. */
export async function chosenLeads(
  parts: LeadParts & { contactIds: ContactIds },
  viewer: Allowed<'admin'>,
  id: string,
  leads: readonly LeadRef[],
): Promise<FoundLead[]> {
  const wanted = new Set(leads.map(nameOfLead))
  const found = (await findContact(parts, viewer, id)).found.filter((lead) => wanted.has(nameOfLead(lead)))
  if (found.length < wanted.size) throw new NotFoundError()
  return found
}

function keptOf({ kind, id, table, row, reason }: FoundLead, kept: readonly KeptData[]): KeptOfLead {
  const its = kept.find((one) => one.kind === kind)
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
    hasTriage: count(its?.triage) > 0,
    attempts: count(its?.attempts),
    notes: count(its?.notes),
    exports: its?.exports.filter(({ ids }) => ids.includes(id)).length ?? 0,
  }
}

/** The protection that covers one of these leads: the viewer is named in it, for they are shown. */
export async function protectionOf(
  parts: Pick<Parts, 'connect' | 'seal'>,
  found: readonly FoundLead[],
): Promise<ContactRights['protection']> {
  if (!found.some(({ table, row }) => table.protection?.marks.has(row) === true)) return null
  const its = { ...known(found), leads: found }
  const db = await parts.connect()
  for (const row of await db.select().from(protectedPersons)) {
    const person = openPerson(parts.seal, row)
    const { emails, phones, reason } = person
    if (overlap(person, its)) return { id: row.id, emails, phones, people: row.allowedUsers, reason }
  }
  return null
}

/** What the database holds of some leads of one kind; notes and purposes are still sealed. `ids`: those that an export held. */
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
  for (const kind of LEAD_KINDS) {
    const ids = leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
    if (ids.length === 0) continue
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

/** When the contact page was opened by way of any of these leads, which shows all of a contact's. */
export async function contactOpenings(connect: Connect, leads: readonly LeadRef[]): Promise<KeptData['activity']> {
  if (leads.length === 0) return []
  const isOne = leads.map(({ kind, id }) => and(eq(activity.leadKind, kind), eq(activity.leadId, id)))
  const isOpening = and(eq(activity.action, 'contact-opened'), or(...isOne))
  const db = await connect()
  return db.select().from(activity).where(isOpening).orderBy(asc(activity.id))
}

async function exportsWith(db: Db, kind: LeadKind, ids: readonly string[]): Promise<KeptData['exports']> {
  const holding = await exportsHolding(db, kind, ids)
  const { leadIds: _all, ...columns } = getTableColumns(exports)
  const those = inArray(exports.id, [...holding.keys()])
  const rows = await db.select(columns).from(exports).where(those).orderBy(asc(exports.at))
  return rows.map((row) => ({ ...row, ids: holding.get(row.id) ?? [] }))
}
