import 'server-only'
import { NO_KEY } from '@/lib/contacts/contact-key'
import type { ExportPreview, ExportPreviewRequest, ExportTally } from '@/lib/contract/export'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { minorByYear } from '@/lib/leads/minor-by-year'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { newSinceLast, selectTarget } from './selected-for-export'

/** What an export of these leads would hold, now, and how many of them left never before. */
export async function previewExport(viewer: Viewer, request: ExportPreviewRequest): Promise<ExportPreview> {
  requirePermission(viewer, 'leads:export')
  const selected = await selectTarget(viewer, request)
  const fresh = request.matching ? await newSinceLast(viewer, request, selected) : null
  const tally = tallyOf(selected.table, selected.rows)
  return {
    ...tally,
    newSinceLast: request.matching ? (fresh?.rows ?? selected.rows).length : null,
    lastExportAt: fresh?.lastAt.toISOString() ?? null,
    fresh: fresh && tallyOf(selected.table, fresh.rows),
  }
}

function tallyOf(table: LeadTable, rows: Uint32Array): ExportTally {
  const thisYear = Number(stockholmDay(Date.now()).slice(0, 4))
  const tally = { count: rows.length, withEmail: 0, withPhone: 0, under16: 0, mayBeUnder16: 0 }
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
