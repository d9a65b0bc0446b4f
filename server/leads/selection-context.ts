import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'

/** What a filter's words mean to this person, now. No visit of the list: only looking at it is one. */
export function selectionContext(viewer: Viewer, kind: LeadKind): Promise<SelectionContext> {
  return contextOf(viewer, kind, services().visits.lastEnded(viewer.id, listOf(kind)))
}

/** The same for somebody who looks at the list now: that is a visit. */
export function visitContext(viewer: Viewer, kind: LeadKind): Promise<SelectionContext> {
  return contextOf(viewer, kind, services().visits.visit(viewer.id, listOf(kind)))
}

async function contextOf(viewer: Viewer, kind: LeadKind, visited: Promise<number | null>): Promise<SelectionContext> {
  const [triageOf, lastVisitAt] = await Promise.all([services().triage.current(kind), visited])
  return { schools: viewer.schools, viewerId: viewer.id, lastVisitAt, triage: triageOf }
}
