import { and, eq, getTableColumns, inArray, isNotNull } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { StaffMember, StoredLead } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { groupIdsByKind } from '@/lib/leads/lead-key'
import type { Db } from '@/server/base/database'
import { activity, attempts, exports, notes, triage } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { decryptReason } from '@/server/export/export-log'
import { findLeadIdsByExport } from '@/server/export/exported-leads'
import type { FoundLead } from '@/server/leads/get-contact'
import { createSchoolNamer } from '@/server/leads/high-schools'

/**
 * Reads what is stored about each lead. Staff are described by role and schools, because a person may not normally know
 * which employee it was (CJEU, C-579/21). An empty list of schools stands for all.
 */
export async function readStoredLeads(services: Services, leads: readonly FoundLead[]) {
  const { seal } = services
  // What was opened in the last seconds is not yet in the log.
  await services.leadOpenings.flush()
  const db = await services.connect()
  const nameSchool = createSchoolNamer(services)
  const users = new Map((await services.users.list()).map((user) => [user.id, user]))
  const describeStaff = (userId: string | null): StaffMember => {
    const user = users.get(userId ?? '')
    return user ? { role: user.role, schools: user.schools === 'all' ? [] : user.schools.map(nameSchool) } : null
  }
  const describeAuthor = (at: Date, userId: string | null) => ({ at: at.toISOString(), by: describeStaff(userId) })
  const recordsByKind = new Map<LeadKind, Awaited<ReturnType<typeof readRecords>>>()
  for (const [kind, ids] of groupIdsByKind(leads)) recordsByKind.set(kind, await readRecords(db, kind, ids))
  const storedLeads = leads.map(({ kind, id, table, row }): StoredLead => {
    const records = recordsByKind.get(kind)
    const lead = table.getLead(row)
    const [decision] = records?.triage.get(id) ?? []
    return {
      kind,
      id,
      fromService: lead,
      school: nameSchool(lead.highSchoolId),
      triage: decision
        ? {
            ...describeAuthor(decision.updatedAt, decision.updatedBy),
            status: decision.status,
            assignee: describeStaff(decision.assigneeId),
            snoozeUntil: decision.snoozeUntil,
          }
        : null,
      attempts: (records?.attempts.get(id) ?? []).flatMap(({ madeAt, userId, channel, outcome }) =>
        channel === null || outcome === null ? [] : [{ ...describeAuthor(madeAt, userId), channel, outcome }],
      ),
      notes: (records?.notes.get(id) ?? []).map((note) => ({
        ...describeAuthor(note.createdAt, note.authorId),
        text: seal.decrypt(note.sealedText, sealContext.note(note.id)) ?? '',
      })),
      exports: (records?.exports ?? []).flatMap((exportRow) => {
        const { startedAt, userId, format, columns, state, leadIds } = exportRow
        if (!leadIds.includes(id)) return []
        const { purpose } = decryptReason(exportRow, seal)
        return [{ ...describeAuthor(startedAt, userId), format, columns, purpose, state }]
      }),
      log: (records?.log.get(id) ?? []).map(({ loggedAt, userId, action, details }) => ({
        ...describeAuthor(loggedAt, userId),
        action,
        from: toTextOrNull(details?.['from']),
        to: toTextOrNull(details?.['to']),
      })),
    }
  })
  return { storedLeads, describeStaff }
}

async function readRecords(db: Db, kind: LeadKind, ids: readonly string[]) {
  const isOfLeads = (table: typeof triage | typeof attempts | typeof notes) =>
    and(eq(table.kind, kind), inArray(table.leadId, ids))
  const attemptCondition = and(isOfLeads(attempts), isNotNull(attempts.outcome))
  const logCondition = and(eq(activity.leadKind, kind), inArray(activity.leadId, ids))
  const groupByLead = <Row extends { leadId: string | null }>(rows: Row[]) => groupBy(rows, ({ leadId }) => leadId)
  const leadIdsByExport = await findLeadIdsByExport(db, kind, ids)
  const { leadIds: _, ...columns } = getTableColumns(exports)
  const exportCondition = inArray(exports.id, [...leadIdsByExport.keys()])
  const exportRows = await db.select(columns).from(exports).where(exportCondition).orderBy(exports.startedAt)
  return {
    triage: groupByLead(await db.select().from(triage).where(isOfLeads(triage))),
    attempts: groupByLead(
      await db.select().from(attempts).where(attemptCondition).orderBy(attempts.madeAt, attempts.id),
    ),
    notes: groupByLead(await db.select().from(notes).where(isOfLeads(notes)).orderBy(notes.createdAt, notes.id)),
    log: groupByLead(await db.select().from(activity).where(logCondition).orderBy(activity.id)),
    exports: exportRows.map((row) => ({ ...row, leadIds: leadIdsByExport.get(row.id) ?? [] })),
  }
}

function toTextOrNull(value: unknown) {
  return typeof value === 'string' ? value : null
}
