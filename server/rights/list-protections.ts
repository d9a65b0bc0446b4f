import 'server-only'
import { desc } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { ProtectionEntry, ProtectionsAnswer } from '@/lib/contract/rights'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type Allowed, maySee, type Viewer } from '@/server/access/viewer'
import type { ContactIds } from '@/server/contacts/contact-id'
import { protectedPersons } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import { NotReadyError } from '@/server/errors'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { mayWorkOnLeads, userNames } from '@/server/users/people'
import type { Users } from '@/server/users/users'
import { rowsOfProtected } from './protected-tables'
import { openPerson } from './protections'

type Parts = LeadParts & { connect: Connect; contactIds: ContactIds; users: Pick<Users, 'list'>; seal: Seal }

/**
 * Whose identity is protected since when, by whom, and who may see it; the newest first. Nothing of the person for administrators
 * who are not named, and of their leads only how many there are at which schools in reach.
 */
export async function listProtections(parts: Parts, viewer: Allowed<'admin'>): Promise<ProtectionsAnswer> {
  const db = await parts.connect()
  const rows = await db.select().from(protectedPersons).orderBy(desc(protectedPersons.createdAt))
  const persons = rows.map((row) => ({ row, person: openPerson(parts.seal, row) }))
  const everybody = persons.flatMap(({ row, person }) => [
    row.createdBy ?? '',
    ...row.allowedUsers,
    ...person.changes.flatMap(({ by, added, removed }) => [by, ...added, ...removed]),
  ])
  const names = await userNames(db, everybody)
  const named = (id: string) => ({ id, name: names.get(id) ?? '' })
  const leadsOf = rows.length === 0 ? null : await leadsByProtection(parts, viewer)
  const protections = persons.map(({ row, person }): ProtectionEntry => {
    const leads = leadsOf?.get(row.id)
    return {
      id: row.id,
      since: row.createdAt.toISOString(),
      by: row.createdBy === null ? null : named(row.createdBy),
      people: row.allowedUsers.map(named),
      changes: person.changes
        .map(({ at, by, added, removed }) => ({
          at,
          by: named(by),
          added: added.map(named),
          removed: removed.map(named),
          self: added.includes(by),
        }))
        .toReversed(),
      leads: leadsOf === null ? null : (leads?.count ?? 0),
      schools: [...(leads?.schools ?? [])],
      shown: row.allowedUsers.includes(viewer.id)
        ? { reason: person.reason, contactId: leads?.contactId ?? null }
        : null,
    }
  })
  const people = (await parts.users.list()).filter(mayWorkOnLeads).map(({ id, name }) => ({ id, name }))
  return { protections, people }
}

type ItsLeads = { count: number; schools: Set<string>; contactId: string }

/** Null while the service has never answered. */
async function leadsByProtection(parts: Parts, viewer: Viewer): Promise<Map<string, ItsLeads> | null> {
  const { all } = await parts.protections.current()
  const leads = new Map<string, ItsLeads>()
  try {
    for (const kind of LEAD_KINDS) {
      const { table } = await countedTable(parts, kind)
      for (const [row, its] of rowsOfProtected(all, table)) {
        const school = table.schoolIds[table.school[row] ?? -1] ?? ''
        if (!maySee(viewer, school)) continue
        for (const { id } of its) {
          const known = leads.get(id) ?? { count: 0, schools: new Set(), contactId: contactOf(parts, kind, table, row) }
          known.count += 1
          known.schools.add(school)
          leads.set(id, known)
        }
      }
    }
    return leads
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}

function contactOf({ contactIds }: Parts, kind: LeadKind, table: LeadTable, row: number): string {
  return contactIds.of(kind, table.lead(row))
}
