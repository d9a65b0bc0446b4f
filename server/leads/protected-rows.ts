import 'server-only'
import { comparableEmail, comparablePhone, hashEmail, hashPhone } from '@/lib/contacts/contact-key'
import { rowsWithKey } from '@/lib/contacts/person-index'
import type { ProtectedMark } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { type LeadTable, hideProtected, getSchoolId } from '@/lib/leads/lead-table'
import { may, maySeeSchool, type Viewer } from '@/server/access/viewer'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import type { Protection, ProtectionList } from './protection-list'

type ProtectedRows = {
  list: ProtectionList
  rows: ReadonlyMap<number, readonly Protection[]>
  schools: ReadonlySet<string>
  views: LruCache<LeadTable>
}

const MAX_VIEWS = 32
/** Computed once per table and list of protections. */
const rowsByTable = new WeakMap<LeadTable, ProtectedRows>()

/**
 * The table as this viewer may see it. It is the plain one if nobody is protected at the viewer's schools: rows of
 * other schools are dropped by every selection. Viewers who are shown the same persons share one table.
 */
export function toVisibleTable(
  list: ProtectionList,
  viewer: Pick<Viewer, 'id' | 'schools'>,
  table: LeadTable,
): LeadTable {
  if (list.protections.length === 0) return table
  let found = rowsByTable.get(table)
  if (found?.list !== list) {
    const rows = findProtectedRows(list.protections, table)
    const schools = new Set(Array.from(rows.keys(), (row) => getSchoolId(table, row)))
    found = { list, rows, schools, views: createLruCache<LeadTable>(MAX_VIEWS) }
    rowsByTable.set(table, found)
  }
  const { rows, schools, views } = found
  if (![...schools].some((school) => maySeeSchool(viewer, school))) return table
  const hidden = new Set(list.protections.filter(({ allowedUserIds: allowed }) => !allowed.has(viewer.id)))
  const key = JSON.stringify(Array.from(hidden, ({ id }) => id))
  const cached = views.get(key)
  if (cached !== undefined) return cached
  const marks = new Map<number, ProtectedMark>()
  // The lead of several persons, such as sisters who share a phone, is shown only to users allowed to see each.
  for (const [row, persons] of rows) {
    const school = getSchoolId(table, row)
    const [first, ...others] = persons
    const people = (first?.allowedReaders ?? []).filter(
      ({ id, schools: seen }) =>
        (seen === 'all' || seen.has(school)) && others.every(({ allowedUserIds: allowed }) => allowed.has(id)),
    )
    const isHidden = persons.some((person) => hidden.has(person))
    marks.set(row, { isHidden, people: people.map(({ name }) => name) })
  }
  const view = hideProtected(table, { key, markByRow: marks })
  views.set(key, view)
  return view
}

/** The table as this viewer may count it. All who may only count get the same numbers, without any protected person. */
export function toCountableTable(list: ProtectionList, viewer: Viewer, table: LeadTable): LeadTable {
  return toVisibleTable(list, may(viewer, 'leads:read') ? viewer : { id: '', schools: 'all' }, table)
}

/** The numeric keys only pre-select: they can collide, so the texts decide. */
export function findProtectedRows(all: readonly Protection[], table: LeadTable): Map<number, readonly Protection[]> {
  const candidates = new Set<number>()
  for (const { emails, phones, leadKeys: leads } of all) {
    for (const email of emails) for (const row of rowsWithKey(table.emailKey, hashEmail(email))) candidates.add(row)
    for (const phone of phones) for (const row of rowsWithKey(table.phoneKey, hashPhone(phone))) candidates.add(row)
    for (const key of leads) {
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
    const matches = all.filter(
      ({ emails, phones, leadKeys: leads }) =>
        (email !== null && emails.has(email)) || (phone !== null && phones.has(phone)) || leads.has(key),
    )
    if (matches.length > 0) rows.set(row, matches)
  }
  return rows
}
