import 'server-only'
import { tracesOf } from '@/lib/contacts/contact-leads'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights, KeptOfLead } from '@/lib/contract/rights'
import { nameOf } from '@/lib/inbox/lead-text'
import type { Allowed } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { ContactIds } from '@/server/contacts/contact-id'
import { findContact, type FoundLead } from '@/server/contacts/get-contact'
import { protectedPersons } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import { NotFoundError } from '@/server/errors'
import type { LeadParts } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { mayWorkOnLeads } from '@/server/users/people'
import type { Users } from '@/server/users/users'
import { type KeptData, keptAbout } from './kept-data'
import { known } from './protect'
import { namingTexts } from './naming-texts'
import { nameOfLead, openPerson } from './protections'

type Parts = LeadParts & { connect: Connect; contactIds: ContactIds; users: Pick<Users, 'list'>; seal: Seal }
type Looking = { reading: Pick<Reading, 'shown' | 'opened'> }

const MOST_LEADS = 500

/**
 * What an administrator decides about a person by: which leads they are, what is kept of each, and whether they are protected.
 * Whoever asks has looked at the person, as on their page.
 */
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
  const people = (await parts.users.list())
    .filter(mayWorkOnLeads)
    .map((person) => ({ id: person.id, name: person.name }))
  return {
    leads: found.map((lead) => keptOf(lead, kept)),
    ...known(found),
    isWhole: viewer.schools === 'all',
    protection: await protectionOf(parts, found),
    people,
    ...(await namingTexts(parts, viewer, found)),
  }
}

/** The named ones of the contact's leads, the newest first. NotFoundError when one is none of them. */
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
  const { emails, phones } = known(found)
  const names = new Set(found.map(nameOfLead))
  const db = await parts.connect()
  for (const row of await db.select().from(protectedPersons)) {
    const person = openPerson(parts.seal, row)
    const isIts =
      person.emails.some((email) => emails.includes(email)) ||
      person.phones.some((phone) => phones.includes(phone)) ||
      person.leads.some((lead) => names.has(nameOfLead(lead)))
    if (!isIts) continue
    return { id: row.id, emails: person.emails, phones: person.phones, people: row.allowedUsers, reason: person.reason }
  }
  return null
}
