import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'

/** What a filter's words mean to this person, now. Counts as a visit of the list. */
export async function selectionContext(viewer: Viewer, kind: LeadKind): Promise<SelectionContext> {
  const { triage, visits } = services()
  const [triageOf, lastVisitAt] = await Promise.all([triage.current(kind), visits.visit(viewer.id, listOf(kind))])
  return { schools: viewer.schools, viewerId: viewer.id, lastVisitAt, triage: triageOf }
}
