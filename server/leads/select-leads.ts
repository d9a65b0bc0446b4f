import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Matching } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isHiddenRow } from '@/lib/leads/protected-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { maySee, type Viewer } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { type Feed, currentSnapshot } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import { tableFor } from '@/server/rights/protected-tables'
import type { Protections } from '@/server/rights/protections'
import type { Visits } from '@/server/settings/visits'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'

/** The feed as far as readers of leads need it. */
type LeadFeed = Pick<Feed, 'markWatched' | 'ready'> & Record<'askedQuestions' | 'declarations', () => ListState<Leads>>
type Leads = { table: LeadTable }
export type LeadParts = { feed: LeadFeed; protections: Pick<Protections, 'current'> }
export type SelectionParts = LeadParts & {
  triage: Pick<TriageBoard, 'current'>
  visits: Visits
  work: Pick<Work, 'rules'>
}

/** Rows of one table as it stood at one moment; all of them within the viewer's reach. */
export type SelectedLeads = { kind: LeadKind; table: LeadTable; rows: Uint32Array }

/** Every lead that matches, in the table's order: exactly what the list shows the viewer. */
export async function selectMatching(
  parts: SelectionParts,
  viewer: Viewer,
  { list, ...filter }: Matching,
): Promise<SelectedLeads> {
  const { kind } = LISTS[list]
  const [table, context] = await Promise.all([leadTable(parts, viewer, kind), selectionContext(parts, viewer, kind)])
  return { kind, table, rows: selectRows(table, filter, context) }
}

/** The leads with these ids, each once, in the table's order. Those that are gone or out of reach are passed over. */
export async function selectNamed(
  parts: LeadParts,
  viewer: Viewer,
  kind: LeadKind,
  ids: Iterable<string>,
): Promise<SelectedLeads> {
  const table = await leadTable(parts, viewer, kind)
  const rows = new Set<number>()
  for (const id of ids) if (schoolInReach(table, viewer, id) !== null) rows.add(table.rowOf(id))
  return { kind, table, rows: Uint32Array.from(rows).sort() }
}

/** The school of a lead that the service has now and the viewer may see; NotFoundError alike for all others. */
export async function schoolOfLeadInReach(parts: LeadParts, viewer: Viewer, { kind, id }: LeadRef): Promise<string> {
  const school = schoolInReach(await leadTable(parts, viewer, kind), viewer, id)
  if (school === null) throw new NotFoundError()
  return school
}

/** The same for a lead whose person the viewer is shown; ForbiddenError where their identity is protected from the viewer. */
export async function schoolOfShownLead(parts: LeadParts, viewer: Viewer, { kind, id }: LeadRef): Promise<string> {
  const table = await leadTable(parts, viewer, kind)
  const school = schoolInReach(table, viewer, id)
  if (school === null) throw new NotFoundError()
  if (isHiddenRow(table, table.rowOf(id))) throw new ForbiddenError()
  return school
}

/** The school of a lead that is in the table and within the viewer's reach, else null. */
export function schoolInReach(table: LeadTable, viewer: Viewer, id: string): string | null {
  const row = table.rowOf(id)
  const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
  return school !== undefined && maySee(viewer, school) ? school : null
}

/**
 * The leads of one kind as they stand now and as this viewer may read them: of persons with a protected identity, whom it is
 * not for this viewer to know, nothing that says who they are. Throws NotReadyError while the service has never answered.
 */
export async function leadTable(parts: LeadParts, viewer: Viewer, kind: LeadKind): Promise<LeadTable> {
  return (await currentLeads(parts, viewer, kind)).table
}

/** Both kinds. */
export async function leadTables(parts: LeadParts, viewer: Viewer): Promise<Record<LeadKind, LeadTable>> {
  const [questions, declarations] = [
    leadTable(parts, viewer, 'asked-question'),
    leadTable(parts, viewer, 'declaration-of-interest'),
  ]
  return { 'asked-question': await questions, 'declaration-of-interest': await declarations }
}

/** The same of one kind, and how old it is. */
export async function currentLeads(parts: LeadParts, viewer: Viewer, kind: LeadKind) {
  const [{ table, snapshot }, list] = await Promise.all([countedTable(parts, kind), parts.protections.current()])
  return { table: tableFor(list, viewer, table), snapshot }
}

/** The same as far as it is there: null while the service has never answered, for which nothing waits. */
export async function leadsBeside(parts: LeadParts, viewer: Viewer, kind: LeadKind): Promise<LeadTable | null> {
  const { content } = stateOf(parts, kind)
  return content === null ? null : tableFor(await parts.protections.current(), viewer, content.table)
}

/** Whether the service has this lead, whoever may see it; false while it has never answered. */
export function isListedLead(parts: Pick<LeadParts, 'feed'>, { kind, id }: LeadRef): boolean {
  const { content } = stateOf(parts, kind)
  return content !== null && content.table.rowOf(id) !== -1
}

function stateOf({ feed }: Pick<LeadParts, 'feed'>, kind: LeadKind): ListState<Leads> {
  return kind === 'asked-question' ? feed.askedQuestions() : feed.declarations()
}

/** All leads of one kind as the service has them, and how old that is: to be counted, and never to be shown. */
export async function countedTable(parts: Pick<LeadParts, 'feed'>, kind: LeadKind) {
  const { content, snapshot } = await currentSnapshot(parts.feed, () => stateOf(parts, kind))
  return { table: content.table, snapshot }
}

/** What a filter's words (mine, new since my visit) mean to this person now. Records no visit of the list. */
export function selectionContext(parts: Omit<SelectionParts, keyof LeadParts>, viewer: Viewer, kind: LeadKind) {
  return contextOf(parts, viewer, kind, parts.visits.lastEnded(viewer.id, LISTS_BY_KIND[kind].list))
}

/** The same for somebody who looks at the list now, recorded as a visit. */
export function visitContext(parts: Omit<SelectionParts, keyof LeadParts>, viewer: Viewer, kind: LeadKind) {
  return contextOf(parts, viewer, kind, parts.visits.visit(viewer.id, LISTS_BY_KIND[kind].list))
}

async function contextOf(
  { triage, work }: Pick<SelectionParts, 'triage' | 'work'>,
  viewer: Viewer,
  kind: LeadKind,
  visited: Promise<number | null>,
): Promise<SelectionContext> {
  const [triageOf, lastVisitAt, rules] = await Promise.all([triage.current(kind), visited, work.rules(kind)])
  return { schools: viewer.schools, viewerId: viewer.id, lastVisitAt, triage: triageOf, work: rules }
}
