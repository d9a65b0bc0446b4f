import 'server-only'
import { LISTS } from '@/lib/contract/lists'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { countChoices, countTopicChoices, countWorkChoices } from '@/lib/leads/count-choices'
import { type FirstAnswer, type WorkCounts, workFlags } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { type TriageColumns, buildTriageColumns } from '@/lib/leads/triage-columns'
import type { Reader } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { createSelectionKey, readTableAndContext } from './select-leads'
import { createTableCache } from './table-cache'

const MAX_SHARED = 500
const MAX_VIEWS = 2_000

/** What is counted once for all who see the same. */
export function createCountCaches() {
  return {
    triageColumns: createTableCache<TriageColumns>(1),
    choiceCounts: createTableCache<Omit<ListCounts, 'fresh' | 'freshSince'>>(MAX_SHARED),
    answersOfWeek: createTableCache<FirstAnswer[]>(2),
    workCounts: createTableCache<WorkCounts & { answers: readonly FirstAnswer[] }>(MAX_SHARED),
    viewCounts: createTableCache<number>(MAX_VIEWS),
  }
}

export function getTriageColumns(
  services: Services,
  table: LeadTable,
  context: Pick<SelectionContext, 'triage' | 'work'>,
) {
  const { triage, work } = context
  return services.triageColumns.getOrMake(work.key, { table, triageVersion: services.triage.getVersion() }, () =>
    buildTriageColumns(table, triage, (entry) => workFlags(entry, work)),
  )
}

/** How many leads each choice of each filter would show. Records no visit. */
export async function getListCounts(services: Services, viewer: Reader, { matching }: { matching: Matching }) {
  const { list, ...filter } = matching
  const { table, context } = await readTableAndContext(services, viewer, LISTS[list].kind)
  await services.topics.ready()
  const columns = getTriageColumns(services, table, context)
  const key = createSelectionKey(viewer, table, filter, context)
  const basis = { table, triage: services.triage.getVersion() }
  const counts = services.choiceCounts.getOrMake(key, basis, () => ({
    ...countChoices(table, filter, context, columns),
    ...countWorkChoices(table, filter, context, columns),
    topic: countTopicChoices(table, filter, context),
  }))
  const { lastVisitAt } = context
  if (lastVisitAt === null) return { ...counts, fresh: counts.total, freshSince: null }
  const fresh = selectRows(table, { ...filter, fresh: true }, context).length
  return { ...counts, fresh, freshSince: new Date(lastVisitAt).toISOString() }
}
