import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadFilter, Matching } from '@/lib/contract/list-query'
import { isHiddenRow, type LeadTable } from '@/lib/leads/lead-table'
import { noTopics, type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { allIsWork } from '@/lib/leads/work-rules'
import { maySeeSchool, scopeKey, type Viewer } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, NotReadyError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { readSnapshot } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import { toVisibleTable } from './protected-rows'

export type SelectedLeads = { kind: LeadKind; table: LeadTable; rows: Uint32Array }

export async function selectMatching(services: Services, viewer: Viewer, { list, ...filter }: Matching) {
  const { table, context, kind } = await readTableAndContext(services, viewer, LISTS[list].kind)
  return { kind, table, rows: selectRows(table, filter, context) }
}

export async function selectByIds(services: Services, viewer: Viewer, kind: LeadKind, ids: Iterable<string>) {
  const table = await getLeadTable(services, viewer, kind)
  const rows = new Set<number>()
  for (const id of ids) if (findSchoolInScope(table, viewer, id) !== null) rows.add(table.findRow(id))
  return { kind, table, rows: Uint32Array.from(rows).sort() }
}

/** What may leave Intag, and what stays: leads of protected persons, also from those who are shown them. */
export function splitProtected({ table, rows, kind }: SelectedLeads) {
  const isProtected = (row: number) => table.protection?.markByRow.has(row) === true
  return { kind, table, rows: rows.filter((row) => !isProtected(row)), withheld: rows.filter(isProtected) }
}

/** In scope, and who it is from is not hidden from the viewer. */
export function maySeeLead(table: LeadTable, viewer: Viewer, id: string): boolean {
  return findSchoolInScope(table, viewer, id) !== null && !isHiddenRow(table, table.findRow(id))
}

/** NotFoundError for a lead that is gone or out of scope, ForbiddenError when its identity is hidden from the viewer. */
export async function requireLeadSchool(services: Services, viewer: Viewer, { kind, id }: LeadRef): Promise<string> {
  const table = await getLeadTable(services, viewer, kind)
  const school = findSchoolInScope(table, viewer, id)
  if (school === null) throw new NotFoundError()
  if (isHiddenRow(table, table.findRow(id))) throw new ForbiddenError()
  return school
}

export function findSchoolInScope(table: LeadTable, viewer: Viewer, id: string): string | null {
  const row = table.findRow(id)
  const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
  return school !== undefined && maySeeSchool(viewer, school) ? school : null
}

/** All leads in scope whose identity is not hidden from the viewer. */
export function selectVisibleRows(table: LeadTable, { id, schools }: Viewer): Uint32Array {
  const context = { schools, viewerId: id, lastVisitAt: null, triage: new Map(), work: allIsWork, topics: noTopics }
  const rows = selectRows(table, {}, context)
  return table.protection === undefined ? rows : rows.filter((row) => !isHiddenRow(table, row))
}

/** Nothing identifies a protected person. Throws NotReadyError before the first answer. */
export async function getLeadTable(services: Services, viewer: Viewer, kind: LeadKind): Promise<LeadTable> {
  return (await readLeadList(services, viewer, kind)).table
}

export async function getLeadTables(services: Services, viewer: Viewer): Promise<Record<LeadKind, LeadTable>> {
  const tables = LEAD_KINDS.map(async (kind) => [kind, await getLeadTable(services, viewer, kind)] as const)
  return Object.fromEntries(await Promise.all(tables)) as Record<LeadKind, LeadTable>
}

export async function readLeadList(services: Services, viewer: Viewer, kind: LeadKind) {
  const [{ table, snapshot }, list] = await Promise.all([
    readUnfilteredTable(services, kind),
    services.protections.getList(),
  ])
  return { table: toVisibleTable(list, viewer, table), snapshot }
}

/** Null before the first answer. */
export async function readIfReady<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}

/** Null before the first answer, for which this does not wait. */
export async function findLeadTable(services: Services, viewer: Viewer, kind: LeadKind): Promise<LeadTable | null> {
  const { content } = readState(services, kind)
  return content === null ? null : toVisibleTable(await services.protections.getList(), viewer, content.table)
}

/** Also out of scope; false before the first answer. */
export function isListedLead(services: Services, { kind, id }: LeadRef): boolean {
  const { content } = readState(services, kind)
  return content !== null && content.table.findRow(id) !== -1
}

function readState({ feed }: Services, kind: LeadKind): ListState<{ table: LeadTable }> {
  return kind === 'asked-question' ? feed.askedQuestions() : feed.declarations()
}

export async function readUnfilteredTable(services: Services, kind: LeadKind) {
  const { content, snapshot } = await readSnapshot(services, () => readState(services, kind))
  return { table: content.table, snapshot }
}

export async function readTableAndContext(services: Services, viewer: Viewer, kind: LeadKind) {
  const reading = [getLeadTable(services, viewer, kind), createSelectionContext(services, viewer, kind)] as const
  const [table, context] = await Promise.all(reading)
  return { kind, table, context }
}

/** What a filter's words (mine, new since my visit) mean to this person; `visit` records one. */
export async function createSelectionContext(
  { triage, work, visits, topics }: Services,
  viewer: Viewer,
  kind: LeadKind,
  visited: 'lastEnded' | 'visit' = 'lastEnded',
): Promise<SelectionContext> {
  const [triageOf, lastVisitAt, rules] = await Promise.all([
    triage.getEntries(kind),
    visits[visited](viewer.id, LISTS_BY_KIND[kind].list),
    work.getRules(kind),
  ])
  return { schools: viewer.schools, viewerId: viewer.id, lastVisitAt, triage: triageOf, work: rules, topics }
}

/** Equal for all who get the same by this filter or query. */
export function createSelectionKey(
  viewer: Viewer,
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
): string {
  return JSON.stringify([
    table.kind,
    filter,
    scopeKey(viewer),
    context.work.key,
    table.protection?.key,
    filter.assignee?.includes('me') === true && viewer.id,
    filter.fresh === true && context.lastVisitAt,
  ])
}
