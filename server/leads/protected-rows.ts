import 'server-only'
import { comparableEmail, comparablePhone, hashEmail, hashPhone } from '@/lib/contacts/contact-key'
import { rowsWithKey } from '@/lib/contacts/person-index'
import type { ProtectedMark } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { getSchoolId, hideProtected, type LeadTable } from '@/lib/leads/lead-table'
import { may, maySeeSchool, type Viewer } from '@/server/access/viewer'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import type { Protection, ProtectionList } from './protection-list'

type ProtectedRows = {
  list: ProtectionList
  rows: ReadonlyMap<number, readonly Protection[]>
  schools: ReadonlySet<string>
  views: LruCache<LeadTable>
}

const MAX_TABLE_VIEWS = 32
/** Protected rows are computed once per table and list of protections. */
const rowsByTable = new WeakMap<LeadTable, ProtectedRows>()

/**
 * Returns the table as this viewer may see it: the same table if nobody is protected at their schools, because every
 * selection drops rows of other schools. Viewers who may see the same persons share one table.
 */
export function toVisibleTable(list: ProtectionList, viewer: Pick<Viewer, 'id' | 'schools'>, table: LeadTable) {
  if (list.protections.length === 0) return table
  let found = rowsByTable.get(table)
  if (found?.list !== list) {
    const rows = findProtectedRows(list.protections, table)
    const schools = new Set(Array.from(rows.keys(), (row) => getSchoolId(table, row)))
    found = { list, rows, schools, views: createLruCache<LeadTable>(MAX_TABLE_VIEWS) }
    rowsByTable.set(table, found)
  }
  const { rows, schools, views } = found
  if (![...schools].some((school) => maySeeSchool(viewer, school))) return table
  const hidden = new Set(list.protections.filter(({ allowedUserIds }) => !allowedUserIds.has(viewer.id)))
  const key = JSON.stringify(Array.from(hidden, ({ id }) => id))
  const cached = views.get(key)
  if (cached !== undefined) return cached
  const marks = new Map<number, ProtectedMark>()
  // The lead of several persons, such as sisters who share a phone, is shown only to users allowed to see each.
  for (const [row, persons] of rows) {
    const school = getSchoolId(table, row)
    const [first, ...others] = persons
    const people = (first?.allowedReaders ?? []).filter(
      ({ id, schools: scope }) =>
        (scope === 'all' || scope.has(school)) && others.every(({ allowedUserIds }) => allowedUserIds.has(id)),
    )
    const isHidden = persons.some((person) => hidden.has(person))
    marks.set(row, { isHidden, people: people.map(({ name }) => name) })
  }
  const view = hideProtected(table, { key, markByRow: marks })
  views.set(key, view)
  return view
}

/** Returns the table as this viewer may count it: without `leads:read` one in which every protected person is hidden. */
export function toCountableTable(list: ProtectionList, viewer: Viewer, table: LeadTable): LeadTable {
  return toVisibleTable(list, may(viewer, 'leads:read') ? viewer : { id: '', schools: 'all' }, table)
}

/** Finds the rows of protected persons. The hashes only pre-select, because they can collide; the addresses decide. */
export function findProtectedRows(protections: readonly Protection[], table: LeadTable) {
  const candidates = new Set<number>()
  for (const { emails, phones, leadKeys } of protections) {
    for (const email of emails) for (const row of rowsWithKey(table.emailKey, hashEmail(email))) candidates.add(row)
    for (const phone of phones) for (const row of rowsWithKey(table.phoneKey, hashPhone(phone))) candidates.add(row)
    for (const key of leadKeys) {
      const row = key.startsWith(`${table.kind} `) ? table.findRow(key.slice(table.kind.length + 1)) : -1
      if (row !== -1) candidates.add(row)
    }
  }
  const rows = new Map<number, readonly Protection[]>()
  for (const row of candidates) {
    const lead = table.getLead(row)
    const contact = 'user' in lead ? lead.user : lead.sender
    const [email, phone] = [comparableEmail(contact.email), comparablePhone(contact.phone)]
    const key = leadKey({ kind: table.kind, id: lead.id })
    const matches = protections.filter(
      ({ emails, phones, leadKeys }) =>
        (email !== null && emails.has(email)) || (phone !== null && phones.has(phone)) || leadKeys.has(key),
    )
    if (matches.length > 0) rows.set(row, matches)
  }
  return rows
}
