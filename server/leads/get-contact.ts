import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { leadsOfContact, type Traces, tracesOf } from '@/lib/contacts/contact-leads'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import { rowsByKeys } from '@/lib/contacts/person-index'
import type { Contact, ContactLead, ContactReason, LeadKind } from '@/lib/contract/lead'
import { idsByKind } from '@/lib/leads/lead-key'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Viewer, Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { markOf } from './list-leads'
import { currentLeads, shownRows } from './select-leads'
import type { Services } from '@/server/base/services'
import { leadIdKey } from './contact-id'

const MAX_LEADS = 500
const READ_AT_ONCE = 500

/** Newest first, with the reason for each lead; logged as opening each. NotFoundError for an invalid id, or nothing in scope. */
export async function getContact(services: Services, viewer: Reader, { id }: { id: string }): Promise<Contact> {
  const { found, tables, snapshot } = await findContact(services, viewer, id)
  const shown = found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(shown)) services.openings.add(viewer.id, kind, ids)
  return { id, leads: await describe(services, viewer, shown, tables), total: found.length, snapshot }
}

type Candidate = { kind: LeadKind; table: LeadTable; row: number }
export type FoundLead = Candidate & { id: string; createdAt: number; reason: ContactReason }

/** Without a log entry. Only of leads in scope, so that an unseen lead cannot join two others. */
export async function findContact(services: Services, viewer: Reader, id: string) {
  const key = services.contactIds.read(id)
  if (key === null) throw new NotFoundError()
  const [questions, declarations] = await Promise.all([
    currentLeads(services, viewer, 'asked-question'),
    currentLeads(services, viewer, 'declaration-of-interest'),
  ])
  const tables = [questions.table, declarations.table]
  const inReach = tables.map((table) => ({ table, rows: shownRows(table, viewer) }))
  const isLone = ({ kind, id: ids, emailKey, phoneKey }: LeadTable, row: number) =>
    key.by === 'lead' &&
    key.kind === kind &&
    emailKey[row] === NO_KEY &&
    phoneKey[row] === NO_KEY &&
    leadIdKey(ids[row] ?? '') === key.key
  const keysOf = (by: 'email' | 'phone') => new Set(key.by === by ? [key.key] : [])
  const rowsOf =
    key.by === 'lead'
      ? inReach.map(({ table, rows }) => rows.filter((row) => isLone(table, row)).slice(-1))
      : rowsByKeys(inReach, { email: keysOf('email'), phone: keysOf('phone') })
  const candidates = tables.flatMap((table, at) =>
    Array.from(rowsOf[at] ?? [], (row): Candidate => ({ kind: table.kind, table, row })),
  )
  const anchors = candidates.flatMap(({ table, row }, at) => {
    const isAnchor = key.by === 'lead' || (key.by === 'email' ? table.emailKey : table.phoneKey)[row] === key.key
    return isAnchor ? [at] : []
  })
  let reasons = new Map<number, ContactReason>(anchors.map((at) => [at, { by: 'anchor', sameName: null }]))
  if (key.by !== 'lead') {
    const traces: Traces[] = []
    for (const { table, row } of candidates) {
      traces.push(tracesOf(table.lead(row)))
      // Reading a lead is cheap, but thousands may have a phone such as "-".
      if (traces.length % READ_AT_ONCE === 0) await setImmediate()
    }
    reasons = leadsOfContact(traces, { by: key.by, anchors })
  }
  const found = candidates.flatMap((one, at): FoundLead[] => {
    const { table, row } = one
    const reason = reasons.get(at)
    return reason ? [{ ...one, id: table.id[row] ?? '', createdAt: table.createdAt[row] ?? 0, reason }] : []
  })
  if (!found.some(({ reason }) => reason.by === 'anchor')) throw new NotFoundError()
  found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  // As old as the older.
  const [snapshot = questions.snapshot] = [questions.snapshot, declarations.snapshot].toSorted(
    (a, b) => Number(b.stale) - Number(a.stale) || (a.fetchedAt < b.fetchedAt ? -1 : 1),
  )
  return { found, tables, snapshot }
}

async function describe(services: Services, viewer: Viewer, found: readonly FoundLead[], tables: readonly LeadTable[]) {
  const { triage, work, contactIds } = services
  const lists = await Promise.all(
    tables.map(async (table) => {
      const ids = found.flatMap(({ kind, id }) => (kind === table.kind ? [id] : []))
      const [entries, rules] = await Promise.all([triage.current(table.kind), work.rules(table.kind)])
      const [triageOf, workOf] = await Promise.all([
        triage.describe(entries, ids),
        triage.describeWork(table, ids, { triage: entries, work: rules }),
      ])
      return { table, triage: entries, triageOf, workOf }
    }),
  )
  const personOf = createPersonFinder(lists, viewer.schools)
  return found.flatMap(({ kind, table, row, id, reason }): ContactLead[] => {
    const list = lists.find((one) => one.table === table)
    if (list === undefined) return []
    const lead = table.lead(row)
    const seenAt = new Date(table.seenAt[row] ?? 0).toISOString()
    const contact = { contactId: contactIds.of(kind, lead), person: personOf(table, row), ...markOf(table, row) }
    const desk = { seenAt, triage: list.triageOf(id), ...list.workOf(row), ...contact }
    return 'user' in lead
      ? [{ kind: 'declaration-of-interest', lead: { ...lead, ...desk }, reason }]
      : [{ kind: 'asked-question', lead: { ...lead, ...desk }, reason }]
  })
}
