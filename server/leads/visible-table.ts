import type { ProtectedMark } from '@/lib/contract/lead'
import { getSchoolId, hideProtected, type LeadTable } from '@/lib/leads/lead-table'
import { may, maySeeSchool, type Viewer } from '@/server/access/viewer'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import { findProtectedRows } from './protected-rows'
import type { Protection, ProtectionList } from './protection-list'

/** Returns the table as this viewer may see it. Viewers who may see the same persons share one table. */
export function toVisibleTable(list: ProtectionList, viewer: Pick<Viewer, 'id' | 'schools'>, table: LeadTable) {
  if (list.protections.length === 0) return table
  const { personsByRow, schools, visibleTables } = getProtectedTable(list, table)
  // Every selection drops the rows of other schools, whoever is protected there.
  if (!schools.some((school) => maySeeSchool(viewer, school))) return table
  const hiddenProtections = new Set(list.protections.filter(({ allowedUserIds }) => !allowedUserIds.has(viewer.id)))
  const key = JSON.stringify(Array.from(hiddenProtections, ({ id }) => id))
  const cached = visibleTables.get(key)
  if (cached !== undefined) return cached
  const markByRow = new Map<number, ProtectedMark>()
  // The lead of several persons, such as sisters who share a phone, is shown only to users allowed to see each.
  for (const [row, persons] of personsByRow) {
    const school = getSchoolId(table, row)
    const [first, ...others] = persons
    const readers = (first?.allowedReaders ?? []).filter(
      (reader) => maySeeSchool(reader, school) && others.every(({ allowedUserIds }) => allowedUserIds.has(reader.id)),
    )
    const isHidden = persons.some((person) => hiddenProtections.has(person))
    markByRow.set(row, { isHidden, people: readers.map(({ name }) => name) })
  }
  const visible = hideProtected(table, { key, markByRow })
  visibleTables.set(key, visible)
  return visible
}

/** Returns the table as this viewer may count it: without `leads:read` every protected person is hidden. */
export function toCountableTable(list: ProtectionList, viewer: Viewer, table: LeadTable) {
  return toVisibleTable(list, may(viewer, 'leads:read') ? viewer : { id: '', schools: 'all' }, table)
}

type ProtectedTable = {
  list: ProtectionList
  personsByRow: ReadonlyMap<number, readonly Protection[]>
  schools: readonly string[]
  /** A table is found by the protections that are hidden from its viewers. */
  visibleTables: LruCache<LeadTable>
}

const MAX_VISIBLE_TABLES = 32
const protectedTables = new WeakMap<LeadTable, ProtectedTable>()

/** Finds the protected rows once per table and list of protections. */
function getProtectedTable(list: ProtectionList, table: LeadTable) {
  const cached = protectedTables.get(table)
  if (cached?.list === list) return cached
  const personsByRow = findProtectedRows(list.protections, table)
  const schools = [...new Set(Array.from(personsByRow.keys(), (row) => getSchoolId(table, row)))]
  const protectedTable = { list, personsByRow, schools, visibleTables: createLruCache<LeadTable>(MAX_VISIBLE_TABLES) }
  protectedTables.set(table, protectedTable)
  return protectedTable
}
