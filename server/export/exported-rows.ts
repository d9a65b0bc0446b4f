import 'server-only'
import type { Sort } from '@/lib/contract/list-query'
import type { ExportedLead } from '@/lib/export/export-cells'
import { pageRows } from '@/lib/leads/page-rows'
import { schoolSortKeys } from '@/server/high-schools/school-sort-keys'
import type { SelectedLeads } from '@/server/leads/select-leads'
import { services } from '@/server/services'

export type ExportedRows = {
  ids: string[]
  count: number
  /** The lead at a place of the file; made on demand, so that no more of them exist than are being written. */
  at: (index: number) => ExportedLead
}

/** The selected leads in the order of the list, with their triage and school as they stand now. */
export async function exportedRows({ kind, table, rows }: SelectedLeads, sort: Sort): Promise<ExportedRows> {
  const { triage, feed } = services()
  const ordered = pageRows(table, rows, { sort, offset: 0, limit: rows.length, schoolSortKey: schoolSortKeys() })
  const ids = ordered.map((row) => table.id[row] ?? '')
  const triageOf = await triage.describe(await triage.current(kind), ids)
  const schools = feed.highSchools().content?.highSchools ?? []
  const names = new Map(schools.map(({ id, name }) => [id, name]))
  return {
    ids,
    count: ordered.length,
    at: (index) => {
      const lead = table.lead(ordered[index] ?? -1)
      const called = 'highSchoolName' in lead && lead.highSchoolName !== '' ? lead.highSchoolName : undefined
      return { lead, triage: triageOf(lead.id), school: called ?? names.get(lead.highSchoolId) ?? lead.highSchoolId }
    },
  }
}
