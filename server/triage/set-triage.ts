import 'server-only'
import type { LeadRef, Triage } from '@/lib/contract/lead'
import type { TriageAnswer, TriageChange } from '@/lib/contract/triage'
import type { TriageEntry } from '@/lib/leads/triage-of'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { carryOut } from './carry-out'
import { triageOrder } from './triage-order'

/**
 * Sets status or assignee of leads, named or all that match (`triageOrder` tells what is passed over). What somebody else
 * has changed since the moment given stays as it is and is answered as a conflict.
 */
export async function setTriage(viewer: Viewer, change: TriageChange): Promise<TriageAnswer> {
  requirePermission(viewer, 'leads:triage')
  const { changed, conflicts, undo } = await carryOut(viewer, await triageOrder(viewer, change))
  const answer: TriageAnswer = { changed: [], conflicts: [], undo }
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) {
    const changes = changed.filter((one) => one.kind === kind)
    const [before, after] = [await described(changes, 'before'), await described(changes, 'after')]
    answer.changed.push(...changes.map(({ id }) => ({ kind, id, before: before(id), after: after(id) })))
    const others = conflicts.filter((one) => one.kind === kind)
    const now = await described(others, 'now')
    answer.conflicts.push(...others.map(({ id }) => ({ kind, id, now: now(id) })))
  }
  return answer
}

/** How the contract tells one of the entries of each lead, with the names of assignees. */
function described<Field extends string>(
  ones: readonly (LeadRef & Readonly<Record<Field, TriageEntry | null>>)[],
  field: Field,
): Promise<(id: string) => Triage> {
  const entries = new Map(ones.flatMap((one) => entryOf(one.id, one[field])))
  return services().triage.describe(
    entries,
    ones.map(({ id }) => id),
  )
}

function entryOf(id: string, entry: TriageEntry | null): [string, TriageEntry][] {
  return entry === null ? [] : [[id, entry]]
}
