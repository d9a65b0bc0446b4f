import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { getSchoolId, isHiddenRow, type LeadTable } from '@/lib/leads/lead-table'
import { maySeeSchool, type Viewer } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, NotReadyError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { readSnapshot } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import { toVisibleTable } from './visible-table'

/** The table has all schools, and hides the persons whom the viewer may not see. Throws NotReadyError without data. */
export async function readLeadTable(services: Services, viewer: Viewer, kind: LeadKind) {
  const [{ table, snapshot }, protections] = await Promise.all([
    readUnfilteredTable(services, kind),
    services.protections.getList(),
  ])
  return { table: toVisibleTable(protections, viewer, table), snapshot }
}

export async function getLeadTable(services: Services, viewer: Viewer, kind: LeadKind) {
  return (await readLeadTable(services, viewer, kind)).table
}

export async function getLeadTables(services: Services, viewer: Viewer) {
  return {
    'asked-question': await getLeadTable(services, viewer, 'asked-question'),
    'declaration-of-interest': await getLeadTable(services, viewer, 'declaration-of-interest'),
  }
}

/** Returns null before the service's first answer, and does not wait for it. */
export async function getLeadTableIfReady(services: Services, viewer: Viewer, kind: LeadKind) {
  const { content } = readListState(services, kind)
  return content === null ? null : toVisibleTable(await services.protections.getList(), viewer, content.table)
}

/** Every identity is in the table, for counts and for callers that hide protected persons themselves. */
export async function readUnfilteredTable(services: Services, kind: LeadKind) {
  const { content, snapshot } = await readSnapshot(services, () => readListState(services, kind))
  return { table: content.table, snapshot }
}

export function readListState({ feed }: Services, kind: LeadKind): ListState<{ table: LeadTable }> {
  return kind === 'asked-question' ? feed.askedQuestions() : feed.declarations()
}

/** Finds the school of a lead; null if the lead is gone or its school out of scope. */
export function findSchoolInScope(table: LeadTable, viewer: Viewer, id: string) {
  const row = table.findRow(id)
  if (row === -1) return null
  const school = getSchoolId(table, row)
  return maySeeSchool(viewer, school) ? school : null
}

export function maySeeLead(table: LeadTable, viewer: Viewer, id: string) {
  return findSchoolInScope(table, viewer, id) !== null && !isHiddenRow(table, table.findRow(id))
}

/** Throws NotFoundError for a lead that is gone or out of scope, ForbiddenError if its identity is hidden. */
export async function requireLead(services: Services, viewer: Viewer, { kind, id }: LeadRef) {
  const table = await getLeadTable(services, viewer, kind)
  const row = table.findRow(id)
  const school = findSchoolInScope(table, viewer, id)
  if (school === null) throw new NotFoundError()
  if (isHiddenRow(table, row)) throw new ForbiddenError()
  return { table, row, school }
}

/** Returns null instead of throwing NotReadyError before the service's first answer. */
export async function readIfReady<T>(read: () => Promise<T>) {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
