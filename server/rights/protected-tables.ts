import 'server-only'
import { comparableEmail, comparablePhone, emailKey, phoneKey } from '@/lib/contacts/contact-key'
import { holder } from '@/lib/contacts/person-index'
import type { ProtectedMark } from '@/lib/contract/lead'
import { type LeadTable, protectedTable } from '@/lib/leads/lead-table'
import type { Viewer } from '@/server/access/viewer'
import { createLruCache, type LruCache } from '@/server/lru-cache'
import { nameOfLead, type Protection, type ProtectionList } from './protections'

type Reader = Pick<Viewer, 'id' | 'schools'>

/** The very same table where nobody in reach is protected; else one for all who are shown the same persons. */
export function tableFor(list: ProtectionList, viewer: Reader, table: LeadTable): LeadTable {
  if (list.all.length === 0) return table
  const { rows, schools, views } = protectedRows(list, table)
  if (rows.size === 0 || !isInReach(viewer, schools)) return table
  const others = list.all.filter(({ allowed }) => !allowed.has(viewer.id))
  const key = JSON.stringify(others.map(({ id }) => id))
  const known = views.get(key)
  if (known !== undefined) return known
  const hidden = new Set(others)
  const marks = new Map(Array.from(rows, ([row, its]) => [row, markOf(its, hidden, schoolOf(table, row))]))
  const view = protectedTable(table, { key, marks })
  views.set(key, view)
  return view
}

export function shownTo(list: ProtectionList, table: LeadTable): (row: number, id: string) => boolean {
  if (list.all.length === 0) return () => true
  const { rows } = protectedRows(list, table)
  return (row, id) => rows.get(row)?.every(({ allowed }) => allowed.has(id)) ?? true
}

function isInReach({ schools: reach }: Reader, schools: ReadonlySet<string>): boolean {
  return reach === 'all' || [...schools].some((school) => reach.has(school))
}

function schoolOf(table: LeadTable, row: number): string {
  return table.schoolIds[table.school[row] ?? -1] ?? ''
}

/** Who is shown the lead of several persons, such as two sisters with one phone, is shown each of them. */
function markOf(its: readonly Protection[], hidden: ReadonlySet<Protection>, school: string): ProtectedMark {
  const people = its.map((one) =>
    one.people.filter(({ schools }) => schools === 'all' || schools.has(school)).map(({ name }) => name),
  )
  const [first = [], ...rest] = people
  return {
    isHidden: its.some((one) => hidden.has(one)),
    people: first.filter((name) => rest.every((names) => names.includes(name))),
  }
}

type ProtectedRows = {
  list: ProtectionList
  rows: ReadonlyMap<number, readonly Protection[]>
  schools: ReadonlySet<string>
  views: LruCache<LeadTable>
}

/** One for each set of persons that a reader is not shown. */
const MOST_VIEWS = 32
const found = new WeakMap<LeadTable, ProtectedRows>()

/** Found once for a table and the protections of the moment: one look at each row's numbers. */
function protectedRows(list: ProtectionList, table: LeadTable): ProtectedRows {
  const known = found.get(table)
  if (known?.list === list) return known
  const rows = rowsOfProtected(list.all, table)
  const schools = new Set(Array.from(rows.keys(), (row) => schoolOf(table, row)))
  const made = { list, rows, schools, views: createLruCache<LeadTable>(MOST_VIEWS) }
  found.set(table, made)
  return made
}

/** The numbers of e-mail and phone only say where to look: they can be forged, so the texts decide. */
export function rowsOfProtected(all: readonly Protection[], table: LeadTable): Map<number, readonly Protection[]> {
  const isCandidate = holder(table, {
    email: new Set(all.flatMap(({ emails }) => Array.from(emails, emailKey))),
    phone: new Set(all.flatMap(({ phones }) => Array.from(phones, phoneKey))),
  })
  const candidates = new Set<number>()
  for (let row = 0; row < table.size; row++) if (isCandidate(row)) candidates.add(row)
  for (const { leads } of all) {
    for (const name of leads) {
      const row = name.startsWith(`${table.kind} `) ? table.rowOf(name.slice(table.kind.length + 1)) : -1
      if (row !== -1) candidates.add(row)
    }
  }
  const rows = new Map<number, readonly Protection[]>()
  for (const row of candidates) {
    const lead = table.lead(row)
    const { email, phone } = 'user' in lead ? lead.user : lead.sender
    const [asEmail, asPhone] = [comparableEmail(email), comparablePhone(phone)]
    const name = nameOfLead({ kind: table.kind, id: lead.id })
    const its = all.filter(
      ({ emails, phones, leads }) =>
        (asEmail !== null && emails.has(asEmail)) || (asPhone !== null && phones.has(asPhone)) || leads.has(name),
    )
    if (its.length > 0) rows.set(row, its)
  }
  return rows
}
