import 'server-only'
import { comparableEmail, comparablePhone, emailKey, phoneKey } from '@/lib/contacts/contact-key'
import { rowMatcher } from '@/lib/contacts/person-index'
import type { ProtectedMark } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { type LeadTable, protectedTable, schoolOf } from '@/lib/leads/lead-table'
import { may, type Viewer } from '@/server/access/viewer'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import type { Protection, ProtectionList } from './protection-list'

type Reader = Pick<Viewer, 'id' | 'schools'>

/**
 * The table as this viewer may see it. It is the plain one if nobody is protected at the viewer's schools: rows of
 * other schools are dropped by every selection. Viewers who are shown the same persons share one table.
 */
export function tableFor(list: ProtectionList, viewer: Reader, table: LeadTable): LeadTable {
  if (list.all.length === 0) return table
  const { rows, schools, views } = protectedRows(list, table)
  if (rows.size === 0 || !isInReach(viewer, schools)) return table
  const hidden = new Set(list.all.filter(({ allowed }) => !allowed.has(viewer.id)))
  const key = JSON.stringify(Array.from(hidden, ({ id }) => id))
  const cached = views.get(key)
  if (cached !== undefined) return cached
  const marks = new Map(Array.from(rows, ([row, persons]) => [row, markOf(persons, hidden, schoolOf(table, row))]))
  const view = protectedTable(table, { key, marks })
  views.set(key, view)
  return view
}

/** As it is counted. From who may count alone every protected person is hidden, also one they are named for: all get the same numbers. */
export function tableToCount(list: ProtectionList, viewer: Viewer, table: LeadTable): LeadTable {
  return tableFor(list, may(viewer, 'leads:read') ? viewer : { id: '', schools: 'all' }, table)
}

function isInReach({ schools: reach }: Reader, schools: ReadonlySet<string>): boolean {
  return reach === 'all' || [...schools].some((school) => reach.has(school))
}

/** The lead of several persons, such as sisters who share a phone, is shown only to users allowed to see each. */
function markOf(persons: readonly Protection[], hidden: ReadonlySet<Protection>, school: string): ProtectedMark {
  const [first, ...others] = persons
  const people = (first?.people ?? []).filter(
    ({ id, schools }) => (schools === 'all' || schools.has(school)) && others.every(({ allowed }) => allowed.has(id)),
  )
  return { isHidden: persons.some((person) => hidden.has(person)), people: people.map(({ name }) => name) }
}

type ProtectedRows = {
  list: ProtectionList
  rows: ReadonlyMap<number, readonly Protection[]>
  schools: ReadonlySet<string>
  views: LruCache<LeadTable>
}

const MAX_VIEWS = 32
const rowsByTable = new WeakMap<LeadTable, ProtectedRows>()

/** Computed once per table and list of protections. */
function protectedRows(list: ProtectionList, table: LeadTable): ProtectedRows {
  const cached = rowsByTable.get(table)
  if (cached?.list === list) return cached
  const rows = rowsOfProtected(list.all, table)
  const schools = new Set(Array.from(rows.keys(), (row) => schoolOf(table, row)))
  const computed = { list, rows, schools, views: createLruCache<LeadTable>(MAX_VIEWS) }
  rowsByTable.set(table, computed)
  return computed
}

/** The numeric keys only pre-select: they can collide, so the texts decide. */
export function rowsOfProtected(all: readonly Protection[], table: LeadTable): Map<number, readonly Protection[]> {
  const isCandidate = rowMatcher(table, {
    email: new Set(all.flatMap(({ emails }) => Array.from(emails, emailKey))),
    phone: new Set(all.flatMap(({ phones }) => Array.from(phones, phoneKey))),
  })
  const candidates = new Set<number>()
  for (let row = 0; row < table.size; row++) if (isCandidate(row)) candidates.add(row)
  for (const { leads } of all) {
    for (const key of leads) {
      const row = key.startsWith(`${table.kind} `) ? table.rowOf(key.slice(table.kind.length + 1)) : -1
      if (row !== -1) candidates.add(row)
    }
  }
  const rows = new Map<number, readonly Protection[]>()
  for (const row of candidates) {
    const lead = table.lead(row)
    const contact = 'user' in lead ? lead.user : lead.sender
    const [email, phone] = [comparableEmail(contact.email), comparablePhone(contact.phone)]
    const key = leadKey({ kind: table.kind, id: lead.id })
    const matches = all.filter(
      ({ emails, phones, leads }) =>
        (email !== null && emails.has(email)) || (phone !== null && phones.has(phone)) || leads.has(key),
    )
    if (matches.length > 0) rows.set(row, matches)
  }
  return rows
}
