import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import type { ViewQuery } from '@/lib/contract/saved-view'
import { maySee, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { selectNamed } from '@/server/leads/select-leads'

/**
 * The filter of somebody else's view as the viewer may know it: without the schools and leads out of reach, which selects the
 * same leads. Null when it names nothing else.
 */
export async function viewInReach(viewer: Viewer, list: LeadList, query: ViewQuery): Promise<ViewQuery | null> {
  if (viewer.schools === 'all') return query
  const school = query.school?.filter((id) => maySee(viewer, id))
  const id = query.id && (await idsInReach(viewer, list, query.id))
  if (school?.length === 0 || id?.length === 0) return null
  return { ...query, ...(school && { school }), ...(id && { id }) }
}

async function idsInReach(viewer: Viewer, list: LeadList, ids: string[]): Promise<string[]> {
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  try {
    const { table, rows } = await selectNamed(viewer, kind, ids)
    return Array.from(rows, (row) => table.id[row] ?? '')
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}
