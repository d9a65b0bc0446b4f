import { NO_KEY } from '@/lib/contacts/contact-key'
import type { ExportPreviewRequest, ExportRequest, ExportTally } from '@/lib/contract/export'
import { LISTS } from '@/lib/contract/lists'
import type { ExportedLead } from '@/lib/export/export-cells'
import { classifyMinor } from '@/lib/leads/enrollment-year'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { selectPage } from '@/lib/leads/select-page'
import { createIsWaiting } from '@/lib/leads/select-rows'
import { findFirstAnswer } from '@/lib/leads/triage-entry'
import { toStockholmDay } from '@/lib/time/stockholm'
import type { Exporter } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { createSchoolNamer, createSchoolSortKey } from '@/server/leads/high-schools'
import { describeTriage } from '@/server/leads/lead-items'
import { selectByIds, type SelectedLeads, selectMatching, splitProtected } from '@/server/leads/select-leads'
import { hashScope } from './export-log'

/** Counts what a file would have; `fresh` and `newSinceLast` count what earlier exports of the same filter lack. */
export async function previewExport(services: Services, viewer: Exporter, request: ExportPreviewRequest) {
  const selected = await selectTarget(services, viewer, request)
  const newRows = request.matching ? await selectNewRows(services, viewer, request, selected) : null
  return {
    ...countTally(selected, services.now()),
    newSinceLast: request.matching ? (newRows?.rows ?? selected.rows).length : null,
    lastExportAt: newRows?.lastAt.toISOString() ?? null,
    fresh: newRows && countTally({ ...selected, ...newRows }, services.now()),
  }
}

function countTally({ table, rows, withheld }: ExportSelection, now: number): ExportTally {
  const thisYear = Number(toStockholmDay(now).slice(0, 4))
  const findAgeGroup = (row: number) => {
    const year = table.year[row] ?? NO_YEAR
    return classifyMinor(year === NO_YEAR ? null : year, thisYear)
  }
  const countRows = (isCounted: (row: number) => boolean) => rows.filter(isCounted).length
  return {
    count: rows.length,
    withheld: withheld.length,
    withEmail: countRows((row) => table.emailKey[row] !== NO_KEY),
    withPhone: countRows((row) => table.phoneKey[row] !== NO_KEY),
    under16: countRows((row) => findAgeGroup(row) === 'under-16'),
    mayBeUnder16: countRows((row) => findAgeGroup(row) === 'may-be-under-16'),
  }
}

type ExportSelection = SelectedLeads & { withheld: Uint32Array }

/** Selects the request's rows in the table's order, without protected persons: no protection follows a file. */
export async function selectTarget(services: Services, viewer: Exporter, target: ExportPreviewRequest) {
  const { list, leads = [], matching } = target
  if (matching) return splitProtected(await selectMatching(services, viewer, matching))
  const ids = leads.map(({ id }) => id)
  return splitProtected(await selectByIds(services, viewer, LISTS[list].kind, ids))
}

export type ExportRows = Awaited<ReturnType<typeof readExportRows>>

export async function readExportRows(
  services: Services,
  { kind, table, rows }: SelectedLeads,
  { sort, matching }: Pick<ExportRequest, 'sort' | 'matching'>,
) {
  const { triage, work } = services
  const [entries, rules] = await Promise.all([triage.getEntries(kind), work.getRules(kind)])
  const isWaiting = createIsWaiting(table, { triage: entries, work: rules })
  const order = { sort, q: matching?.q, schoolSortKey: createSchoolSortKey(services), isWaiting }
  const ordered = selectPage(table, rows, { ...order, offset: 0, limit: rows.length })
  const ids = ordered.map((row) => table.id[row] ?? '')
  const findAnswer = (id: string) => findFirstAnswer(entries.get(id)?.attempts ?? [])
  const userIds = ids.flatMap((id) => [entries.get(id)?.assigneeId, findAnswer(id)?.userId])
  const userNames = await services.readUserNames(userIds)
  const nameSchool = createSchoolNamer(services)
  return {
    ids,
    count: ordered.length,
    read: (index: number): ExportedLead => {
      const lead = table.getLead(ordered[index] ?? -1)
      const hasName = 'highSchoolName' in lead && lead.highSchoolName !== ''
      const school = hasName ? lead.highSchoolName : nameSchool(lead.highSchoolId)
      const entry = entries.get(lead.id)
      const answer = findAnswer(lead.id)
      const answeredBy = userNames.get(answer?.userId ?? '') || null
      const attempts = entry?.attempts?.length ?? 0
      const answered = { answeredAt: answer?.attemptedAt ?? null, answeredBy, attempts }
      return { lead, triage: describeTriage(entry, userNames), school, answer: answered }
    },
  }
}

/** Selects the rows that none of the viewer's exports of the same list and filter has; null if there is none. */
export async function selectNewRows(
  { exportLog, dataKeys }: Services,
  viewer: Exporter,
  target: ExportPreviewRequest,
  { table, rows, withheld }: ExportSelection,
) {
  const previousExports = await exportLog.findPreviousExports(viewer.id, hashScope(dataKeys[0], target))
  if (previousExports === null) return null
  const isNew = (row: number) => !previousExports.ids.has(table.id[row] ?? '')
  return { rows: rows.filter(isNew), withheld: withheld.filter(isNew), lastAt: previousExports.lastAt }
}
