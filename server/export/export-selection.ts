import 'server-only'
import { NO_KEY } from '@/lib/contacts/contact-key'
import type { ExportPreview, ExportPreviewRequest, ExportTally } from '@/lib/contract/export'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import type { ExportedLead } from '@/lib/export/export-cells'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { minorByYear } from '@/lib/leads/enrollment-year'
import { pageRows } from '@/lib/leads/page-rows'
import { waitingRows } from '@/lib/leads/select-rows'
import { stockholmDay } from '@/lib/time/stockholm'
import type { Exporter } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { knownSchools } from '@/server/feed/feed'
import { schoolSortKeys } from '@/server/leads/high-schools'
import { type SelectedLeads, selectMatching, selectNamed, withoutProtected } from '@/server/leads/select-leads'

export async function previewExport(
  services: Services,
  viewer: Exporter,
  request: ExportPreviewRequest,
): Promise<ExportPreview> {
  const selected = await selectTarget(services, viewer, request)
  const fresh = request.matching ? await newSinceLast(services, viewer, request, selected) : null
  const tally = tallyOf(selected)
  return {
    ...tally,
    newSinceLast: request.matching ? (fresh?.rows ?? selected.rows).length : null,
    lastExportAt: fresh?.lastAt.toISOString() ?? null,
    fresh: fresh && tallyOf({ ...selected, ...fresh }),
  }
}

function tallyOf({ table, rows, withheld }: ExportSelection): ExportTally {
  const thisYear = Number(stockholmDay(Date.now()).slice(0, 4))
  const tally = {
    count: rows.length,
    withheld: withheld.length,
    withEmail: 0,
    withPhone: 0,
    under16: 0,
    mayBeUnder16: 0,
  }
  for (const row of rows) {
    if (table.emailKey[row] !== NO_KEY) tally.withEmail += 1
    if (table.phoneKey[row] !== NO_KEY) tally.withPhone += 1
    const year = table.year[row] ?? NO_YEAR
    const minor = minorByYear(year === NO_YEAR ? null : year, thisYear)
    if (minor === 'under-16') tally.under16 += 1
    if (minor === 'may-be-under-16') tally.mayBeUnder16 += 1
  }
  return tally
}

export type ExportSelection = SelectedLeads & { withheld: Uint32Array }

/** In the table's order. A protected person is in no file, because no protection follows it. */
export async function selectTarget(
  services: Services,
  viewer: Exporter,
  { list, leads = [], matching }: ExportPreviewRequest,
): Promise<ExportSelection> {
  const ids = leads.map(({ id }) => id)
  const selected = matching
    ? await selectMatching(services, viewer, matching)
    : await selectNamed(services, viewer, LISTS[list].kind, ids)
  return withoutProtected(selected)
}

export type ExportedRows = {
  ids: string[]
  count: number
  at: (index: number) => ExportedLead
}

export async function exportedRows(
  services: Services,
  { kind, table, rows }: SelectedLeads,
  { sort, matching }: { sort?: Sort | undefined; matching?: Matching | undefined },
): Promise<ExportedRows> {
  const { triage, work } = services
  const [entries, rules] = await Promise.all([triage.current(kind), work.rules(kind)])
  const isWaiting = waitingRows(table, { triage: entries, work: rules })
  const order = { sort, q: matching?.q, schoolSortKey: schoolSortKeys(services), isWaiting }
  const ordered = pageRows(table, rows, { ...order, offset: 0, limit: rows.length })
  const ids = ordered.map((row) => table.id[row] ?? '')
  const [triageOf, answerOf] = await Promise.all([triage.describe(entries, ids), triage.describeAnswers(entries, ids)])
  const names = new Map(knownSchools(services).map(({ id, name }) => [id, name]))
  return {
    ids,
    count: ordered.length,
    at: (index) => {
      const lead = table.lead(ordered[index] ?? -1)
      const called = 'highSchoolName' in lead && lead.highSchoolName !== '' ? lead.highSchoolName : undefined
      const school = called ?? names.get(lead.highSchoolId) ?? lead.highSchoolId
      return { lead, triage: triageOf(lead.id), school, answer: answerOf(lead.id) }
    },
  }
}

/** Rows that none of the viewer's exports of the same list and filter contained; null if there was none. */
export async function newSinceLast(
  { exportLog, scopes }: Services,
  viewer: Exporter,
  target: ExportPreviewRequest,
  { table, rows, withheld }: ExportSelection,
) {
  const before = await exportLog.exportedBefore(viewer.id, scopes.known(target))
  if (before === null) return null
  const newOf = (added: Uint32Array) => added.filter((row) => !before.ids.has(table.id[row] ?? ''))
  return { rows: newOf(rows), withheld: newOf(withheld), lastAt: before.lastAt }
}
