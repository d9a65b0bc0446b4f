import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { Triage } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createIsWaiting, type SelectionContext } from '@/lib/leads/select-rows'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import type { WorkRules } from '@/lib/leads/work-rules'
import { toScopeKey, type Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { toPerson, type UserNames } from './user-names'

type ItemContext = Pick<SelectionContext, 'triage' | 'work'>
type ItemSource = { table: LeadTable; otherTable: LeadTable | null; context: ItemContext }

/** Returns a function from a row to its item (lead, work and person). Viewers of the same scope share the items. */
export async function makeItems(
  services: Services,
  viewer: Viewer,
  { table, otherTable, context }: ItemSource,
  rows: readonly number[],
) {
  const { triage, work } = context
  const scope = JSON.stringify([toScopeKey(viewer), work.key, table.protection?.key])
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

export function describeTriage(entry: TriageEntry | null | undefined, names: UserNames): Triage {
  if (entry?.updatedAt == null) return { status: 'new', assignee: null, updatedAt: null }
  const { status, assigneeId, updatedAt } = entry
  return { status, assignee: toPerson(assigneeId, names), updatedAt: new Date(updatedAt).toISOString() }
}

function describeWork(entry: TriageEntry | undefined, waitingSince: number | null, work: WorkRules, names: UserNames) {
  const { attempts = [], snoozeUntil = null } = entry ?? {}
  const lastAttempt = attempts.at(-1)
  const lastDifferentIndex = attempts.findLastIndex(({ channel, outcome }) => {
    return channel !== lastAttempt?.channel || outcome !== lastAttempt.outcome
  })
  const alike = attempts.length - 1 - lastDifferentIndex
  const last = lastAttempt && {
    at: new Date(lastAttempt.attemptedAt).toISOString(),
    by: toPerson(lastAttempt.userId, names),
    channel: lastAttempt.channel,
    outcome: lastAttempt.outcome,
  }
  return {
    attempts: { count: attempts.length, last: last ?? null, ...(alike > 1 && { alike }) },
    snoozeUntil,
    waitingSince: waitingSince === null ? null : new Date(waitingSince).toISOString(),
    due: waitingSince === null ? null : work.toDueDay(waitingSince),
    late: waitingSince !== null && waitingSince < work.lateBefore,
  }
}
