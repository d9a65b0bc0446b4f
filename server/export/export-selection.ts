import 'server-only'
import { NO_KEY } from '@/lib/contacts/contact-key'
import type { ExportPreview, ExportPreviewRequest, ExportTally } from '@/lib/contract/export'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import type { ExportedLead } from '@/lib/export/export-cells'
import { isHiddenRow, NO_YEAR } from '@/lib/leads/lead-table'
import { minorByYear } from '@/lib/leads/enrollment-year'
import { pageRows } from '@/lib/leads/page-rows'
import { waitingRows } from '@/lib/leads/select-rows'
import { stockholmDay } from '@/lib/time/stockholm'
import type { Exporter } from '@/server/access/viewer'
import { schoolSortKeys } from '@/server/leads/high-schools'
import { type SchoolParts, knownSchools } from '@/server/feed/feed'
import { type SelectedLeads, type SelectionParts, selectMatching, selectNamed } from '@/server/leads/select-leads'
import type { Work } from '@/server/leads/work'
import type { TriageBoard } from '@/server/leads/triage-board'
import type { Services } from '@/server/base/services'

type Target = Omit<ExportPreviewRequest, 'includeProtected'> & { includeProtected?: boolean }

export async function previewExport(
  parts: SelectionParts & PastExportParts,
  viewer: Exporter,
  request: ExportPreviewRequest,
): Promise<ExportPreview> {
  const selected = await selectTarget(parts, viewer, request)
  const fresh = request.matching ? await newSinceLast(parts, viewer, request, selected) : null
  const tally = tallyOf(selected, selected.rows)
  return {
    ...tally,
    newSinceLast: request.matching ? (fresh?.rows ?? selected.rows).length : null,
    lastExportAt: fresh?.lastAt.toISOString() ?? null,
    fresh: fresh && tallyOf({ ...selected, protectedRows: fresh.protectedRows }, fresh.rows),
  }
}

function tallyOf({ table, protectedRows }: ExportSelection, rows: Uint32Array): ExportTally {
  const thisYear = Number(stockholmDay(Date.now()).slice(0, 4))
  const shown = protectedRows.filter((row) => !isHiddenRow(table, row)).length
  const tally = { count: rows.length, withEmail: 0, withPhone: 0, under16: 0, mayBeUnder16: 0 }
  for (const row of rows) {
    if (table.emailKey[row] !== NO_KEY) tally.withEmail += 1
    if (table.phoneKey[row] !== NO_KEY) tally.withPhone += 1
    const year = table.year[row] ?? NO_YEAR
    const minor = minorByYear(year === NO_YEAR ? null : year, thisYear)
    if (minor === 'under-16') tally.under16 += 1
    if (minor === 'may-be-under-16') tally.mayBeUnder16 += 1
  }
  return { ...tally, protected: { count: protectedRows.length, shown } }
}

export type ExportSelection = SelectedLeads & {
  protectedRows: Uint32Array
}

/** In the table's order. Protected persons only on request, by a viewer who is shown them. */
export async function selectTarget(
  parts: SelectionParts,
  viewer: Exporter,
  { list, leads = [], matching, includeProtected = false }: Target,
): Promise<ExportSelection> {
  const ids = leads.map(({ id }) => id)
  const selected = matching
    ? await selectMatching(parts, viewer, matching)
    : await selectNamed(parts, viewer, LISTS[list].kind, ids)
  const { table, rows } = selected
  const { protection } = table
  if (protection === undefined) return { ...selected, protectedRows: new Uint32Array() }
  const mayLeave = (row: number) => !protection.marks.has(row) || (includeProtected && !isHiddenRow(table, row))
  return { ...selected, rows: rows.filter(mayLeave), protectedRows: rows.filter((row) => protection.marks.has(row)) }
}

export type ExportedRows = {
  ids: string[]
  count: number
  at: (index: number) => ExportedLead
}

export async function exportedRows(
  parts: SchoolParts & {
    triage: Pick<TriageBoard, 'current' | 'describe' | 'describeAnswers'>
    work: Pick<Work, 'rules'>
  },
  { kind, table, rows }: SelectedLeads,
  { sort, matching }: { sort?: Sort | undefined; matching?: Matching | undefined },
): Promise<ExportedRows> {
  const { triage } = parts
  const [entries, rules] = await Promise.all([triage.current(kind), parts.work.rules(kind)])
  const isWaiting = waitingRows(table, { triage: entries, work: rules })
  const order = { sort, q: matching?.q, schoolSortKey: schoolSortKeys(parts), isWaiting }
  const ordered = pageRows(table, rows, { ...order, offset: 0, limit: rows.length })
  const ids = ordered.map((row) => table.id[row] ?? '')
  const [triageOf, answerOf] = await Promise.all([triage.describe(entries, ids), triage.describeAnswers(entries, ids)])
  const names = new Map(knownSchools(parts).map(({ id, name }) => [id, name]))
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

export type PastExportParts = Pick<Services, 'exportLog' | 'scopes'>

/** Rows that none of the viewer's exports of the same list and filter contained; null if there was none. */
export async function newSinceLast(
  { exportLog, scopes }: PastExportParts,
  viewer: Exporter,
  target: Target,
  { table, rows, protectedRows }: ExportSelection,
) {
  const before = await exportLog.exportedBefore(viewer.id, scopes.known(target))
  if (before === null) return null
  const newOf = (added: Uint32Array) => added.filter((row) => !before.ids.has(table.id[row] ?? ''))
  return { rows: newOf(rows), protectedRows: newOf(protectedRows), lastAt: before.lastAt }
}
