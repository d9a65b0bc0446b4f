import type { Matching } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { countChoices } from '@/lib/leads/count-choices'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { buildTriageColumns } from '@/lib/leads/triage-columns'
import type { Reader } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { createSelectionKey, readTableAndContext } from './select-leads'

/** Counts the leads that each choice of each filter would show. It records no visit: leads stay new until shown. */
export async function getListCounts(services: Services, viewer: Reader, { matching }: { matching: Matching }) {
  const { list, ...filter } = matching
  const source = await readTableAndContext(services, viewer, LISTS[list].kind)
  const { table, context } = source
  // Counting would build the first index of topics at once, and block the process.
  await services.topics.ready()
  const columns = getTriageColumns(services, table, context)
  const key = createSelectionKey(viewer, source, filter)
  const counts = services.choiceCounts.getOrMake(key, { table }, () => countChoices(table, filter, context, columns))
  const { lastVisitAt } = context
  if (lastVisitAt === null) return { ...counts, fresh: counts.total, freshSince: null }
  const freshRows = selectRows(table, { ...filter, fresh: true }, context)
  return { ...counts, fresh: freshRows.length, freshSince: new Date(lastVisitAt).toISOString() }
}

type TriageContext = Pick<SelectionContext, 'triage' | 'work'>

export function getTriageColumns(services: Services, table: LeadTable, { triage, work }: TriageContext) {
  return services.triageColumns.getOrMake(work.key, { table }, () => buildTriageColumns(table, triage, work))
}
