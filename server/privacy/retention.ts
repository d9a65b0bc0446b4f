import { and, eq, inArray } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { protectedPersons } from '@/server/base/access-schema'
import { toChunks } from '@/server/base/chunks'
import type { Db } from '@/server/base/database'
import { isStorableText } from '@/server/base/parse-input'
import { attempts, notes, triage } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { clearAttempts } from '@/server/leads/attempts'
import { readListState } from '@/server/leads/lead-tables'
import { findProtectedRows } from '@/server/leads/protected-rows'
import { eraseFromViews, readAllViews } from '@/server/leads/saved-views'
import { lockTriage } from '@/server/leads/write-triage'
import { trackAbsences } from './absences'
import { deleteExpiredRows, tryWithLock } from './delete-expired-rows'
import { readHold, updatePurgeHold } from './purge-holds'

/** Deletes what Intag stores about leads, when a lead is gone and by age. The log is deleted by age alone. */
export async function runRetention(services: Services) {
  for (const kind of LEAD_KINDS) await purgeAbsent(services, kind)
  await endProtections(services)
  await deleteExpiredRows(services)
}

/** Returns the table of the last answer; null if the last request failed, as nobody then knows which leads are gone. */
function findTrustedTable(services: Services, kind: LeadKind) {
  const { content, problem } = readListState(services, kind)
  return problem === null && content !== null ? content.table : null
}

const LEADS_AT_ONCE = 500

async function purgeAbsent(services: Services, kind: LeadKind) {
  const { connect, triage: board, logger, seal, knownLeads } = services
  const { list } = LISTS_BY_KIND[kind]
  const table = findTrustedTable(services, kind)
  if (table === null) return
  const decidedIds = (await board.getEntries(kind)).keys()
  const purgedCount = await tryWithLock(connect, async (tx) => {
    const now = services.now()
    const notedLeads = await tx.selectDistinct({ id: notes.leadId }).from(notes).where(eq(notes.kind, kind))
    const views = (await readAllViews(tx, seal)).filter(({ view }) => view.list === list)
    // A view may name an id that no database can store.
    const idsInViews = views.flatMap(({ content }) => content.query.id ?? []).filter(isStorableText)
    const ids = new Set([...decidedIds, ...notedLeads.map(({ id }) => id), ...idsInViews])
    const absentIds = await trackAbsences(tx, kind, { ids, isPresent: (id) => table.findRow(id) !== -1 }, now)
    const { countGoneSince } = knownLeads
    if (await updatePurgeHold(tx, { kind, size: table.size, countGoneSince }, now)) {
      logger.warn({ list }, 'too many leads are gone: nothing is purged until an administrator agrees')
      return 0
    }
    for (const chunk of toChunks(absentIds, LEADS_AT_ONCE)) await deleteStaffData(tx, kind, chunk, now)
    const absentLeads = absentIds.map((id) => ({ kind, id }))
    // The texts of views stay, because a lead that is gone no longer tells whom they might name.
    if (absentLeads.length > 0) await eraseFromViews(tx, seal, absentLeads, () => false)
    return absentLeads.length
  })
  if (!purgedCount) return
  board.invalidate()
  logger.info({ list, count: purgedCount }, 'purged triage and notes of leads that are gone')
}

/** Deletes what staff added to leads, except views and exports. */
export async function deleteStaffData(tx: Db, kind: LeadKind, ids: string[], now: number) {
  await lockTriage(tx, null, 'many')
  await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, ids)))
  await clearAttempts(tx, and(eq(attempts.kind, kind), inArray(attempts.leadId, ids)), new Date(now))
}

/** Ends protections that had no lead for seven days. One with a lead stays: its end would disclose the identity. */
async function endProtections(services: Services) {
  const tables = LEAD_KINDS.flatMap((kind) => findTrustedTable(services, kind) ?? [])
  if (tables.length < LEAD_KINDS.length) return
  const { protections } = await services.protections.getList()
  const endedIds = await tryWithLock(services.connect, async (tx) => {
    for (const list of LEAD_LISTS) if ((await readHold(tx, list)) !== null) return []
    const matchedPersons = tables.flatMap((table) => [...findProtectedRows(protections, table).values()].flat())
    const presentIds = new Set(matchedPersons.map(({ id }) => id))
    const persons = { ids: protections.map(({ id }) => id), isPresent: (id: string) => presentIds.has(id) }
    const ids = await trackAbsences(tx, 'protected-person', persons, services.now())
    if (ids.length === 0) return ids
    await tx.delete(protectedPersons).where(inArray(protectedPersons.id, ids))
    const entry = { userId: null, action: 'protection-lifted' } as const
    await services.activity.recordIn(tx, ...ids.map((id) => ({ ...entry, details: { protection: id } })))
    return ids
  })
  if (endedIds === null || endedIds.length === 0) return
  await services.announcer.announceProtections()
  services.logger.info({ count: endedIds.length }, 'ended protections of persons whose leads are gone')
}
