import 'server-only'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { Kept, StaffMember } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { idsByKind } from '@/lib/leads/lead-key'
import type { Db } from '@/server/base/database'
import { activity, attempts, exports, notes, triage } from '@/server/base/schema'
import { placeOf } from '@/server/base/sealed-columns'
import { decryptReason, exportsHolding } from '@/server/export/export-log'
import type { FoundLead } from '@/server/leads/get-contact'
import { knownSchools } from '@/server/feed/feed'
import type { Services } from '@/server/base/services'

/**
 * What Intag keeps about leads, as the person may read it (GDPR, article 15). Staff are given by role and school, because
 * a person has normally no right to know which employee it was (Court of Justice, C-579/21).
 */
export async function keptAbout(
  services: Services,
  found: readonly FoundLead[],
  staff: DescribeStaff,
): Promise<Kept[]> {
  // What was opened in the last seconds is not in the log yet.
  await services.openings.flush()
  const db = await services.connect()
  const schools = new Map(knownSchools(services).map(({ id, name }) => [id, name]))
  const stored = new Map<LeadKind, Awaited<ReturnType<typeof readStored>>>()
  for (const [kind, ids] of idsByKind(found)) stored.set(kind, await readStored(db, kind, ids))
  return found.map(({ kind, id, table, row }): Kept => {
    const its = stored.get(kind)
    const lead = table.lead(row)
    const [decided] = its?.triage.get(id) ?? []
    const moment = (at: Date, userId: string | null) => ({ at: at.toISOString(), by: staff(userId) })
    return {
      kind,
      id,
      fromService: lead,
      school: schools.get(lead.highSchoolId) ?? lead.highSchoolId,
      triage: decided
        ? {
            ...moment(decided.updatedAt, decided.updatedBy),
            status: decided.status,
            assignee: staff(decided.assigneeId),
            snoozeUntil: decided.snoozeUntil,
          }
        : null,
      attempts: (its?.attempts.get(id) ?? []).flatMap(({ at, userId, channel, outcome }) =>
        channel === null || outcome === null ? [] : [{ ...moment(at, userId), channel, outcome }],
      ),
      notes: (its?.notes.get(id) ?? []).map((note) => ({
        ...moment(note.createdAt, note.authorId),
        text: services.seal.decrypt(note.sealedText, placeOf.note(note.id)) ?? '',
      })),
      exports: (its?.exports ?? []).flatMap(({ ids, ...file }) => {
        const { at, userId, format, columns, state } = file
        const purpose = decryptReason(file, services.seal)?.purpose ?? ''
        return ids.includes(id) ? [{ ...moment(at, userId), format, columns, purpose, state }] : []
      }),
      log: (its?.log.get(id) ?? []).map(({ at, userId, action, details }) => ({
        ...moment(at, userId),
        action,
        from: statusText(details?.['from']),
        to: statusText(details?.['to']),
      })),
    }
  })
}

type DescribeStaff = (id: string | null) => StaffMember

export async function describeStaff(services: Services): Promise<DescribeStaff> {
  const users = new Map((await services.users.list()).map((user) => [user.id, user]))
  const names = new Map(knownSchools(services).map(({ id, name }) => [id, name]))
  return (id) => {
    const user = users.get(id ?? '')
    if (user === undefined) return null
    const schools = user.schools === 'all' ? [] : user.schools.map((school) => names.get(school) ?? school)
    return { role: user.role, schools }
  }
}

async function readStored(db: Db, kind: LeadKind, ids: readonly string[]) {
  const ofLeads = (table: typeof triage | typeof attempts | typeof notes) =>
    and(eq(table.kind, kind), inArray(table.leadId, ids))
  const isDone = and(ofLeads(attempts), isNotNull(attempts.outcome))
  const isLogged = and(eq(activity.leadKind, kind), inArray(activity.leadId, ids))
  const byLead = <Row extends { leadId: string | null }>(rows: Row[]) => groupBy(rows, ({ leadId }) => leadId)
  const holding = await exportsHolding(db, kind, ids)
  const { id, at, userId, format, columns, state, sealedReason } = exports
  const files = await db
    .select({ id, at, userId, format, columns, state, sealedReason })
    .from(exports)
    .where(inArray(id, [...holding.keys()]))
    .orderBy(asc(at))
  return {
    triage: byLead(await db.select().from(triage).where(ofLeads(triage))),
    attempts: byLead(await db.select().from(attempts).where(isDone).orderBy(asc(attempts.at), asc(attempts.id))),
    notes: byLead(await db.select().from(notes).where(ofLeads(notes)).orderBy(asc(notes.createdAt), asc(notes.id))),
    log: byLead(await db.select().from(activity).where(isLogged).orderBy(asc(activity.id))),
    exports: files.map((file) => ({ ...file, ids: holding.get(file.id) ?? [] })),
  }
}

function statusText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
