import { createHmac } from 'node:crypto'
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
import { deriveKey } from '@/server/base/seal'
import type { Services } from '@/server/base/services'
import { createSchoolNamer, createSchoolSortKey } from '@/server/leads/high-schools'
import { describeTriage } from '@/server/leads/lead-items'
import { selectByIds, type SelectedLeads, selectMatching, splitProtected } from '@/server/leads/select-leads'

/** Counts what a file would have; `fresh` and `newSinceLast` count what no earlier export of the same filter has. */
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

function countTally({ table, rows, withheldRows }: ExportSelection, now: number): ExportTally {
  const thisYear = Number(toStockholmDay(now).slice(0, 4))
  const findAgeGroup = (row: number) => {
    const year = table.year[row] ?? NO_YEAR
    return classifyMinor(year === NO_YEAR ? null : year, thisYear)
  }
  const countRows = (isCounted: (row: number) => boolean) => rows.filter(isCounted).length
  return {
    count: rows.length,
    withheld: withheldRows.length,
    withEmail: countRows((row) => table.emailKey[row] !== NO_KEY),
    withPhone: countRows((row) => table.phoneKey[row] !== NO_KEY),
    under16: countRows((row) => findAgeGroup(row) === 'under-16'),
    mayBeUnder16: countRows((row) => findAgeGroup(row) === 'may-be-under-16'),
  }
}

type ExportSelection = SelectedLeads & { withheldRows: Uint32Array }

/** Selects the request's rows in the table's order, without protected persons: no protection follows a file. */
export async function selectTarget(services: Services, viewer: Exporter, target: ExportPreviewRequest) {
  const { list, leads = [], matching } = target
  if (matching) return splitProtected(await selectMatching(services, viewer, matching))
  const ids = leads.map(({ id }) => id)
  return splitProtected(await selectByIds(services, viewer, LISTS[list].kind, ids))
}

export type ExportRows = Awaited<ReturnType<typeof readExportRows>>

/** Orders the rows as on screen. Each lead is made when it is read, so that a file of all leads needs little memory. */
export async function readExportRows(
  services: Services,
  { kind, table, rows }: SelectedLeads,
  { sort, matching }: Pick<ExportRequest, 'sort' | 'matching'>,
) {
  const { triage, work } = services
  const [entries, rules] = await Promise.all([triage.getEntries(kind), work.getRules(kind)])
  const isWaiting = createIsWaiting(table, { triage: entries, work: rules })
  const order = { sort, q: matching?.q, schoolSortKey: createSchoolSortKey(services), isWaiting }
  const orderedRows = selectPage(table, rows, { ...order, offset: 0, limit: rows.length })
  const ids = orderedRows.map((row) => table.id[row] ?? '')
  const findAnswer = (id: string) => findFirstAnswer(entries.get(id)?.attempts ?? [])
  const userIds = ids.flatMap((id) => [entries.get(id)?.assigneeId, findAnswer(id)?.userId])
  const userNames = await services.readUserNames(userIds)
  const nameSchool = createSchoolNamer(services)
  return {
    ids,
    count: orderedRows.length,
    read: (index: number): ExportedLead => {
      const lead = table.getLead(orderedRows[index] ?? -1)
      const hasSchoolName = 'highSchoolName' in lead && lead.highSchoolName !== ''
      const school = hasSchoolName ? lead.highSchoolName : nameSchool(lead.highSchoolId)
      const entry = entries.get(lead.id)
      const firstAnswer = findAnswer(lead.id)
      const answeredBy = userNames.get(firstAnswer?.userId ?? '') || null
      const attempts = entry?.attempts?.length ?? 0
      const answer = { answeredAt: firstAnswer?.attemptedAt ?? null, answeredBy, attempts }
      return { lead, triage: describeTriage(entry, userNames), school, answer }
    },
  }
}

/** Selects the rows that no export of the same scope by the viewer has; null if there is no such export. */
export async function selectNewRows(
  { exportLog, dataKeys }: Services,
  viewer: Exporter,
  target: ExportPreviewRequest,
  { table, rows, withheldRows }: ExportSelection,
) {
  const previousExports = await exportLog.findPreviousExports(viewer.id, hashScope(dataKeys[0], target))
  if (previousExports === null) return null
  const isNew = (row: number) => !previousExports.leadIds.has(table.id[row] ?? '')
  return { rows: rows.filter(isNew), withheldRows: withheldRows.filter(isNew), lastAt: previousExports.lastAt }
}

/**
 * Exports of the same list, filter and kind of file have the same scope, and so have all whose leads were chosen one by
 * one. The scope is hashed, because a filter may name a pupil.
 */
export function hashScope(dataKey: Uint8Array, { list, matching, format }: ExportPreviewRequest) {
  const filter = Object.entries(matching ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  const target = JSON.stringify([list, format === 'emails' ? 'emails' : 'file', matching ? filter : 'named'])
  return createHmac('sha256', deriveKey(dataKey, 'export scopes')).update(target).digest('base64url')
}
