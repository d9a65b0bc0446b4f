import 'server-only'
import type { LeadItem } from '@/lib/api/leads'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { scopeKey, type Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'

/** Makes an item of each row: the lead, what staff did about it, and the person. Viewers of one scope share items. */
export async function makeItems(
  services: Services,
  viewer: Viewer,
  { table, otherTable }: { table: LeadTable; otherTable: LeadTable | null },
  rows: readonly number[],
  context: Pick<SelectionContext, 'triage' | 'work'>,
): Promise<LeadItem[]> {
  const scope = JSON.stringify([scopeKey(viewer), context.work.key, table.protection?.key])
  const cached = services.leadItems.getOrMake(scope, { table, otherTable }, () => new Map())
  const missing = rows.filter((row) => !cached.has(row))
  if (missing.length === 0) return rows.flatMap((row) => cached.get(row) ?? [])
  const ids = missing.map((row) => table.id[row] ?? '')
  const [toTriage, toWork, otherTriage] = await Promise.all([
    services.describeTriage(context.triage, ids),
    services.describeWork(table, ids, context),
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
      contactId: services.contactIds.encrypt(table.kind, lead),
      person: findPerson(table, row),
      ...(mark && { protected: mark }),
    }
    made.set(row, item)
    if (hasAllNames(item)) cached.set(row, item)
  }
  return rows.flatMap((row) => made.get(row) ?? cached.get(row) ?? [])
}

/** During a database outage names may be missing; such an item is not cached, because they may be readable next time. */
export function hasAllNames({ triage: { assignee }, attempts: { last } }: LeadItem): boolean {
  return assignee?.name !== '' && last?.by?.name !== ''
}
