import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { Triage } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createIsWaiting, type SelectionContext } from '@/lib/leads/select-rows'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import type { WorkRules } from '@/lib/leads/work-rules'
import { findUserNames } from '@/server/access/users'
import { scopeKey, type Viewer } from '@/server/access/viewer'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices, Services } from '@/server/base/services'

/** Makes each row's item (lead, work and person) and returns them by row. Viewers of the same scope share them. */
export async function makeItems(
  services: Services,
  viewer: Viewer,
  { table, otherTable }: { table: LeadTable; otherTable: LeadTable | null },
  rows: readonly number[],
  context: Pick<SelectionContext, 'triage' | 'work'>,
) {
  const { triage, work } = context
  const scope = JSON.stringify([scopeKey(viewer), work.key, table.protection?.key])
  const cached = services.leadItems.getOrMake(scope, { table, otherTable }, () => new Map())
  const getItem = (row: number) => cached.get(row)
  const missingRows = rows.filter((row) => !cached.has(row))
  if (missingRows.length === 0) return getItem
  const findEntry = (row: number) => triage.get(table.id[row] ?? '')
  const userIds = missingRows.map(findEntry).flatMap((entry) => [entry?.assigneeId, entry?.attempts?.at(-1)?.userId])
  const [names, otherTriage] = await Promise.all([
    services.readUserNames(userIds),
    otherTable && services.triage.getEntries(otherTable.kind),
  ])
  const lists = [{ table, triage }]
  if (otherTable && otherTriage) lists.push({ table: otherTable, triage: otherTriage })
  const findPerson = createPersonFinder(lists, viewer.schools)
  const isWaiting = createIsWaiting(table, context)
  for (const row of missingRows) {
    const lead = table.getLead(row)
    const entry = findEntry(row)
    const waitingSince = isWaiting(row) ? (table.createdAt[row] ?? 0) : null
    const mark = table.protection?.markByRow.get(row)
    cached.set(row, {
      ...lead,
      seenAt: new Date(table.seenAt[row] ?? 0).toISOString(),
      triage: describeTriage(entry, names),
      ...describeWork(entry, waitingSince, work, names),
      contactId: services.contactIds.createId(table.kind, lead),
      person: findPerson(table, row),
      ...(mark && { protected: mark }),
    })
  }
  return getItem
}

export type UserNames = ReadonlyMap<string, string>

/** The name is empty if it cannot be read, or if the account is gone. */
export function toPerson(id: string | null, names: UserNames) {
  return id === null ? null : { id, name: names.get(id) ?? '' }
}

export function describeTriage(entry: TriageEntry | null | undefined, names: UserNames): Triage {
  if (entry?.updatedAt == null) return { status: 'new', assignee: null, updatedAt: null }
  const { status, assigneeId, updatedAt } = entry
  return { status, assignee: toPerson(assigneeId, names), updatedAt: new Date(updatedAt).toISOString() }
}

function describeWork(entry: TriageEntry | undefined, waitingSince: number | null, work: WorkRules, names: UserNames) {
  const { attempts = [], snoozeUntil = null } = entry ?? {}
  const last = attempts.at(-1)
  const differentIndex = attempts.findLastIndex(({ channel, outcome }) => {
    return channel !== last?.channel || outcome !== last.outcome
  })
  const alike = attempts.length - 1 - differentIndex
  const lastAttempt = last && {
    at: new Date(last.attemptedAt).toISOString(),
    by: toPerson(last.userId, names),
    channel: last.channel,
    outcome: last.outcome,
  }
  return {
    attempts: { count: attempts.length, last: lastAttempt ?? null, ...(alike > 1 && { alike }) },
    snoozeUntil,
    waitingSince: waitingSince === null ? null : new Date(waitingSince).toISOString(),
    due: waitingSince === null ? null : work.toDueDay(waitingSince),
    late: waitingSince !== null && waitingSince < work.lateBefore,
  }
}

const MAX_NAMES = 10_000

/** Caches names of users for as long as other caches. One that cannot be read is the last known one, or empty. */
export function createUserNameReader({ connect, now, cacheTtlMs }: BaseServices) {
  const cache = createLruCache<{ name: string; readAt: number }>(MAX_NAMES)
  return async (ids: readonly (string | null | undefined)[]): Promise<UserNames> => {
    const userIds = [...new Set(ids.flatMap((id) => id ?? []))]
    const readAt = now()
    const staleIds = userIds.filter((id) => readAt - (cache.get(id)?.readAt ?? -Infinity) >= cacheTtlMs())
    const reading = staleIds.length === 0 ? null : connect().then((db) => findUserNames(db, staleIds))
    const names = await reading?.catch(() => null)
    if (names) for (const id of staleIds) cache.set(id, { name: names.get(id) ?? '', readAt })
    return new Map(userIds.map((id) => [id, cache.get(id)?.name ?? '']))
  }
}
