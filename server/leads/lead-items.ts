import type { LeadItem } from '@/lib/api/leads'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { LeadWork, Triage } from '@/lib/contract/lead'
import type { LeadAnswer } from '@/lib/export/export-cells'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { type AttemptEntry, findFirstAnswer, type TriageById, type TriageEntry } from '@/lib/leads/triage-columns'
import { createIsEarlier, needsAnswer } from '@/lib/leads/work-rules'
import { findUserNames } from '@/server/access/users'
import { scopeKey, type Viewer } from '@/server/access/viewer'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices, Services } from '@/server/base/services'

type TriageContext = Pick<SelectionContext, 'triage' | 'work'>

/**
 * Makes an item of each row: the lead, what staff did about it, and the person. Returns the items by row. Viewers with
 * the same scope share them.
 */
export async function makeItems(
  services: Services,
  viewer: Viewer,
  { table, otherTable }: { table: LeadTable; otherTable: LeadTable | null },
  rows: readonly number[],
  context: TriageContext,
) {
  const scope = JSON.stringify([scopeKey(viewer), context.work.key, table.protection?.key])
  const cached = services.leadItems.getOrMake(scope, { table, otherTable }, () => new Map())
  const missing = rows.filter((row) => !cached.has(row))
  if (missing.length === 0) return (row: number): LeadItem | undefined => cached.get(row)
  const ids = missing.map((row) => table.id[row] ?? '')
  const [toTriage, toWork, otherTriage] = await Promise.all([
    describeTriage(services, context.triage, ids),
    describeWork(services, table, ids, context),
    otherTable && services.triage.getEntries(otherTable.kind),
  ])
  const lists = [{ table, triage: context.triage }]
  if (otherTable && otherTriage) lists.push({ table: otherTable, triage: otherTriage })
  const findPerson = createPersonFinder(lists, viewer.schools)
  const made = new Map<number, LeadItem>()
  for (const row of missing) {
    const lead = table.getLead(row)
    const mark = table.protection?.markByRow.get(row)
    const item = {
      ...lead,
      seenAt: new Date(table.seenAt[row] ?? 0).toISOString(),
      triage: toTriage(lead.id),
      ...toWork(row),
      contactId: services.contactIds.createId(table.kind, lead),
      person: findPerson(table, row),
      ...(mark && { protected: mark }),
    }
    made.set(row, item)
    if (hasAllNames(item)) cached.set(row, item)
  }
  return (row: number): LeadItem | undefined => made.get(row) ?? cached.get(row)
}

/** Names may be missing during a database outage. Such an item is not cached: they may be readable next time. */
export function hasAllNames({ triage: { assignee }, attempts: { last } }: LeadItem) {
  return assignee?.name !== '' && last?.by?.name !== ''
}

/** Reads the names for these ids, and returns a description by id. `updatedBy` adds the last decider. */
export async function describeTriage(
  { readUserNames }: Services,
  entries: ReadonlyMap<string, TriageEntry | null>,
  ids: readonly string[],
  { updatedBy } = { updatedBy: false },
) {
  const described = ids.map((id) => entries.get(id))
  const names = await readUserNames(described.flatMap((entry) => [entry?.assigneeId, entry?.updatedById]))
  const toPerson = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return (id: string): Triage => {
    const entry = entries.get(id)
    if (entry?.updatedAt == null) return { status: 'new', assignee: null, updatedAt: null }
    const { status, assigneeId, updatedById = null } = entry
    const decided = { status, assignee: toPerson(assigneeId), updatedAt: new Date(entry.updatedAt).toISOString() }
    return updatedBy ? { ...decided, updatedBy: toPerson(updatedById) } : decided
  }
}

async function describeWork(
  { readUserNames }: Services,
  table: LeadTable,
  ids: readonly string[],
  { triage, work }: TriageContext,
) {
  const names = await readUserNames(ids.map((id) => triage.get(id)?.attempts?.at(-1)?.userId))
  const isEarlier = createIsEarlier(table, work)
  const toAttempt = ({ attemptedAt, userId, channel, outcome }: AttemptEntry) => {
    const by = userId === null ? null : { id: userId, name: names.get(userId) ?? '' }
    return { at: new Date(attemptedAt).toISOString(), by, channel, outcome }
  }
  return (row: number): LeadWork => {
    const entry = triage.get(table.id[row] ?? '')
    const createdAt = table.createdAt[row] ?? 0
    const attempts = entry?.attempts ?? []
    const last = attempts.at(-1)
    const isOther = ({ channel, outcome }: AttemptEntry) => channel !== last?.channel || outcome !== last.outcome
    const alike = attempts.length - 1 - attempts.findLastIndex(isOther)
    const isWaiting = needsAnswer(entry, work) && !isEarlier(row)
    return {
      attempts: { count: attempts.length, last: last ? toAttempt(last) : null, ...(alike > 1 && { alike }) },
      snoozeUntil: entry?.snoozeUntil ?? null,
      waitingSince: isWaiting ? new Date(createdAt).toISOString() : null,
      due: isWaiting ? work.toDueDay(createdAt) : null,
      late: isWaiting && createdAt < work.lateBefore,
    }
  }
}

/** Reads the names for these ids, and returns who answered first, and when, by id. */
export async function describeAnswers({ readUserNames }: Services, entries: TriageById, ids: readonly string[]) {
  const findAnswer = (id: string) => findFirstAnswer(entries.get(id)?.attempts ?? [])
  const names = await readUserNames(ids.map((id) => findAnswer(id)?.userId))
  return (id: string): LeadAnswer => {
    const answer = findAnswer(id)
    const answeredBy = names.get(answer?.userId ?? '') || null
    return { answeredAt: answer?.attemptedAt ?? null, answeredBy, attempts: entries.get(id)?.attempts?.length ?? 0 }
  }
}

const MAX_NAMES = 10_000

/** Caches names of users for as long as other caches. One that cannot be read is the last known one, or empty. */
export function createUserNameReader({ connect, now, cacheTtlMs }: BaseServices) {
  const cache = createLruCache<{ name: string; readAt: number }>(MAX_NAMES)
  return async (ids: readonly (string | null | undefined)[]) => {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    const readAt = now()
    const stale = wanted.filter((id) => readAt - (cache.get(id)?.readAt ?? -Infinity) >= cacheTtlMs())
    const reading = stale.length === 0 ? null : connect().then((db) => findUserNames(db, stale))
    const names = await reading?.catch(() => null)
    if (names) for (const id of stale) cache.set(id, { name: names.get(id) ?? '', readAt })
    return new Map(wanted.map((id) => [id, cache.get(id)?.name ?? '']))
  }
}
