import 'server-only'
import type { ListCounts } from '@/lib/contract/list-counts'
import type { Matching } from '@/lib/contract/triage'
import { countChoices } from '@/lib/leads/count-choices'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { leadTable } from './select-leads'
import { selectionContext } from './selection-context'

/** How many leads within reach each choice of each filter would show, exactly. Counts as no visit of the list. */
export async function listCounts(viewer: Viewer, { list, ...filter }: Matching): Promise<ListCounts> {
  requirePermission(viewer, 'leads:read')
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  const [table, context] = await Promise.all([leadTable(kind), selectionContext(viewer, kind)])
  const { triage, triageColumns } = services()
  const columns = triageColumns.of(table, context.triage, triage.changes())
  const { lastVisitAt } = context
  const freshSince = lastVisitAt === null ? null : new Date(lastVisitAt).toISOString()
  return { ...countChoices(table, filter, context, columns), freshSince }
}
