import 'server-only'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import type { ViewQuery } from '@/lib/contract/saved-view'
import type { Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { leadTable } from '@/server/leads/select-leads'
import { selectionContext } from '@/server/leads/selection-context'
import { services } from '@/server/services'
import type { CountBasis } from './view-counts'

const KIND_OF = { 'asked-questions': 'asked-question', 'declarations-of-interest': 'declaration-of-interest' } as const

/** Counts the leads of a view for one person, all on the same state of the lists; null before the first data. */
export function createViewCounter(viewer: Viewer): (list: LeadList, query: ViewQuery) => Promise<number | null> {
  const bases = new Map<LeadList, Promise<CountBasis | null>>()
  return async (list, query) => {
    const basis = bases.get(list) ?? basisOf(viewer, list, KIND_OF[list])
    bases.set(list, basis)
    const ready = await basis
    return ready && services().viewCounts.count(query, ready)
  }
}

async function basisOf(viewer: Viewer, list: LeadList, kind: LeadKind): Promise<CountBasis | null> {
  try {
    const [table, context] = await Promise.all([leadTable(kind), selectionContext(viewer, kind)])
    return { list, table, context, revision: services().triage.changes() }
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
