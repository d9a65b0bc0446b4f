import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/triage'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import { maySee, type Viewer } from '@/server/access/viewer'
import { current } from '@/server/feed/current'
import { services } from '@/server/services'
import { selectionContext } from './selection-context'

/** Rows of one table as it stood at one moment; all of them within the viewer's reach. */
export type SelectedLeads = { kind: LeadKind; table: LeadTable; rows: Uint32Array }

/** Every lead that matches, in the table's order: exactly what the list shows the viewer. */
export async function selectMatching(viewer: Viewer, { list, ...filter }: Matching): Promise<SelectedLeads> {
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  const [table, context] = await Promise.all([leadTable(kind), selectionContext(viewer, kind)])
  return { kind, table, rows: selectRows(table, filter, context) }
}

/** The leads with these ids, each once, in the table's order. Those that are gone or out of reach are passed over. */
export async function selectNamed(viewer: Viewer, kind: LeadKind, ids: Iterable<string>): Promise<SelectedLeads> {
  const table = await leadTable(kind)
  const rows = new Set<number>()
  for (const id of ids) {
    const row = table.rowOf(id)
    const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
    if (school !== undefined && maySee(viewer, school)) rows.add(row)
  }
  return { kind, table, rows: Uint32Array.from(rows).sort() }
}

/** The leads of one kind as they stand now. Throws NotReadyError while the service has never answered. */
export async function leadTable(kind: LeadKind): Promise<LeadTable> {
  const { feed } = services()
  const { content } = await (kind === 'asked-question' ? current(feed.askedQuestions) : current(feed.declarations))
  return content.table
}
