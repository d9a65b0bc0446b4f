import 'server-only'
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ContactRights, StaffMember, StoredLead } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { idsByKind, leadKey } from '@/lib/leads/lead-key'
import { getSchoolId } from '@/lib/leads/lead-table'
import { executeCommand } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { activity, attempts, exports, notes, triage } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { findExportsOf } from '@/server/export/exported-leads'
import { decryptReason } from '@/server/export/export-log'
import { readKnownSchools } from '@/server/feed/feed'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import { erasePersonMentions, findAddressMentions, findPersonMentions } from './mentions'
import { collectAddresses, findProtection } from './protections'
import { deleteStaffData } from './retention'

const MAX_LEADS = 500

/** Returns what Intag stores about a contact. Its leads are logged as opened. */
export async function getContactRights(services: Services, viewer: Admin, { id }: { id: string }) {
  const found = (await findContact(services, viewer, id)).found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(found)) services.leadOpenings.add(viewer.id, kind, ids)
  const { storedLeads } = await readStoredLeads(services, found)
  const protection = await findProtection(services, found)
  return {
    leads: storedLeads.map((lead, place) => ({ ...lead, isOther: found[place]?.reason.sameName === false })),
    ...collectAddresses(found),
    isWhole: viewer.schools === 'all',
    protection: protection && {
      id: protection.id,
      emails: protection.emails,
      phones: protection.phones,
      people: protection.people,
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
      people: protection.people.map(describeStaff),
    },
  }
  const entries = found.map((lead) => ({ action: 'extract-made', lead: { kind: lead.kind, id: lead.id } }) as const)
  await executeCommand(services, viewer, 'admin', (_tx, log) => log(...entries))
  return extract
}

/** Erases what Intag added (GDPR, article 17). The log stays, with ids alone, for accountability (article 5.2). */
export async function eraseData(services: Services, viewer: Admin, request: ChosenLeads) {
  const found = await findChosen(services, viewer, request)
  const refs = found.map(({ kind, id }) => ({ kind, id }))
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    for (const [kind, ids] of idsByKind(refs)) {
      await deleteStaffData(tx, kind, ids, services.now())
      // Exports stay in their log with their count, but without the ids.
      const gone = sql`array(select json_array_elements_text(${JSON.stringify(ids)}::json))`
      const remaining = sql`array(select id from unnest(${exports.leadIds}) with ordinality as exported(id, place)
        where id <> all(${gone}) order by place)`
      const isHolding = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${gone}`)
      await tx.update(exports).set({ leadIds: remaining }).where(isHolding)
    }
    await erasePersonMentions(tx, services.seal, found)
    await log(...refs.map((lead) => ({ action: 'data-erased' as const, lead })))
  })
  for (const [kind, ofKind] of groupBy(found, (lead) => lead.kind)) {
    const schools = ofKind.map(({ table, row }) => getSchoolId(table, row))
    services.announcer.announceTriage(kind, viewer.id, new Set(schools))
    ofKind.forEach(({ id }, place) => services.announcer.announceLead({ kind, id }, schools[place] ?? '', 'notes'))
  }
}

async function findChosen(services: Services, viewer: Admin, { id, leads }: ChosenLeads) {
  const wanted = new Set(leads.map(leadKey))
  const found = (await findContact(services, viewer, id)).found.filter((lead) => wanted.has(leadKey(lead)))
  if (found.length < wanted.size) throw new NotFoundError()
  return found
}

/**
 * Reads what Intag stores about leads, as the person may read it (GDPR, article 15). Staff are given by role and
 * school: a person has normally no right to know which employee it was (Court of Justice, C-579/21).
 */
async function readStoredLeads(services: Services, found: readonly FoundLead[]) {
  // What was opened in the last seconds is not yet in the log.
  await services.leadOpenings.flush()
  const db = await services.connect()
  const schoolNames = new Map(readKnownSchools(services).map(({ id, name }) => [id, name]))
  const toSchoolName = (school: string) => schoolNames.get(school) ?? school
  const users = new Map((await services.users.list()).map((user) => [user.id, user]))
  const describeStaff = (userId: string | null): StaffMember => {
    const user = users.get(userId ?? '')
    return user ? { role: user.role, schools: user.schools === 'all' ? [] : user.schools.map(toSchoolName) } : null
  }
  const toAuthorFields = (at: Date, userId: string | null) => ({ at: at.toISOString(), by: describeStaff(userId) })
  const statusText = (value: unknown) => (typeof value === 'string' ? value : null)
  const recordsByKind = new Map<LeadKind, Awaited<ReturnType<typeof readRecords>>>()
  for (const [kind, ids] of idsByKind(found)) recordsByKind.set(kind, await readRecords(db, kind, ids))
  const storedLeads = found.map(({ kind, id, table, row }): StoredLead => {
    const records = recordsByKind.get(kind)
    const lead = table.getLead(row)
    const [decided] = records?.triage.get(id) ?? []
    return {
      kind,
      id,
      fromService: lead,
      school: toSchoolName(lead.highSchoolId),
      triage: decided
        ? {
            ...toAuthorFields(decided.updatedAt, decided.updatedBy),
            status: decided.status,
            assignee: describeStaff(decided.assigneeId),
            snoozeUntil: decided.snoozeUntil,
          }
        : null,
      attempts: (records?.attempts.get(id) ?? []).flatMap(({ at, userId, channel, outcome }) =>
        channel === null || outcome === null ? [] : [{ ...toAuthorFields(at, userId), channel, outcome }],
      ),
      notes: (records?.notes.get(id) ?? []).map((note) => ({
        ...toAuthorFields(note.createdAt, note.authorId),
        text: services.seal.decrypt(note.sealedText, sealContext.note(note.id)) ?? '',
      })),
      exports: (records?.exports ?? []).flatMap(({ ids, ...file }) => {
        const { at, userId, format, columns, state } = file
        const purpose = decryptReason(file, services.seal)?.purpose ?? ''
        return ids.includes(id) ? [{ ...toAuthorFields(at, userId), format, columns, purpose, state }] : []
      }),
      log: (records?.log.get(id) ?? []).map(({ at, userId, action, details }) => ({
        ...toAuthorFields(at, userId),
        action,
        from: statusText(details?.['from']),
        to: statusText(details?.['to']),
      })),
    }
  })
  return { storedLeads, describeStaff }
}

async function readRecords(db: Db, kind: LeadKind, ids: readonly string[]) {
  const ofLeads = (table: typeof triage | typeof attempts | typeof notes) =>
    and(eq(table.kind, kind), inArray(table.leadId, ids))
  const isAttempt = and(ofLeads(attempts), isNotNull(attempts.outcome))
  const isLogged = and(eq(activity.leadKind, kind), inArray(activity.leadId, ids))
  const byLead = <Row extends { leadId: string | null }>(rows: Row[]) => groupBy(rows, ({ leadId }) => leadId)
  const idsByExport = await findExportsOf(db, kind, ids)
  const { id, startedAt: at, userId, format, columns, state, sealedReason } = exports
  const fields = { id, at, userId, format, columns, state, sealedReason }
  const isHolding = inArray(id, [...idsByExport.keys()])
  const files = await db.select(fields).from(exports).where(isHolding).orderBy(asc(at))
  return {
    triage: byLead(await db.select().from(triage).where(ofLeads(triage))),
    attempts: byLead(await db.select().from(attempts).where(isAttempt).orderBy(asc(attempts.at), asc(attempts.id))),
    notes: byLead(await db.select().from(notes).where(ofLeads(notes)).orderBy(asc(notes.createdAt), asc(notes.id))),
    log: byLead(await db.select().from(activity).where(isLogged).orderBy(asc(activity.id))),
    exports: files.map((file) => ({ ...file, ids: idsByExport.get(file.id) ?? [] })),
  }
}
