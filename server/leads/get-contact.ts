import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { leadsOfContact, type Traces, tracesOf } from '@/lib/contacts/contact-leads'
import { type PersonFinder, createPersonFinder } from '@/lib/contacts/person-finder'
import { type RowsInReach, rowsByKeys } from '@/lib/contacts/person-index'
import type { Contact, ContactLead, ContactReason, LeadKind } from '@/lib/contract/lead'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { idsByKind } from '@/lib/leads/lead-key'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Viewer, Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { markOf } from './list-leads'
import { currentLeads, shownRows } from './select-leads'
import type { Services } from '@/server/base/services'
import { type ContactKey, leadIdKey } from './contact-id'

const MAX_LEADS = 500

/** Newest first, with the reason for each lead; logged as opening each. NotFoundError for an invalid id, or nothing in scope. */
export async function getContact(services: Services, viewer: Reader, { id }: { id: string }): Promise<Contact> {
  const { found, tables, snapshot } = await findContact(services, viewer, id)
  const shown = found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(shown)) services.openings.add(viewer.id, kind, ids)
  return { id, leads: await describe(services, viewer, shown, tables), total: found.length, snapshot }
}

/** Without a log entry. */
export async function findContact(services: Services, viewer: Reader, id: string) {
  const key = services.contactIds.read(id)
  if (key === null) throw new NotFoundError()
  const { candidates, anchors, tables, snapshot } = await findCandidates(services, viewer, key)
  const reasons =
    key.by === 'lead'
      ? new Map<number, ContactReason>(anchors.map((at) => [at, { by: 'anchor', sameName: null }]))
      : leadsOfContact(await tracesOfAll(candidates), { by: key.by, anchors })
  const found = newestFirst(candidates, reasons)
  if (!found.some(({ reason }) => reason.by === 'anchor')) throw new NotFoundError()
  return { found, tables, snapshot }
}

type Candidate = { kind: LeadKind; table: LeadTable; row: number }

/** Only leads in scope, so that an unseen lead cannot join two others. */
async function findCandidates(services: Services, viewer: Viewer, key: ContactKey) {
  const [questions, declarations] = await Promise.all([
    currentLeads(services, viewer, 'asked-question'),
    currentLeads(services, viewer, 'declaration-of-interest'),
  ])
  const tables = [questions.table, declarations.table]
  const inReach = tables.map((table) => ({ table, rows: shownRows(table, viewer) }))
  const keysOf = (by: 'email' | 'phone') => new Set(key.by === by ? [key.key] : [])
  const rowsOf =
    key.by === 'lead'
      ? inReach.map((list) => loneRows(list, key))
      : rowsByKeys(inReach, { email: keysOf('email'), phone: keysOf('phone') })
  const candidates = tables.flatMap((table, at) =>
    Array.from(rowsOf[at] ?? [], (row) => ({ kind: table.kind, table, row })),
  )
  const isAnchor = ({ table, row }: Candidate) =>
    key.by === 'lead' || (key.by === 'email' ? table.emailKey : table.phoneKey)[row] === key.key
  const anchors = candidates.flatMap((one, at) => (isAnchor(one) ? [at] : []))
  return { candidates, anchors, tables, snapshot: older(questions.snapshot, declarations.snapshot) }
}

function loneRows({ table, rows }: RowsInReach, { kind, key }: { kind: LeadKind; key: number }): Uint32Array {
  if (table.kind !== kind) return new Uint32Array()
  const isLone = (row: number) => table.emailKey[row] === NO_KEY && table.phoneKey[row] === NO_KEY
  return rows.filter((row) => isLone(row) && leadIdKey(table.id[row] ?? '') === key).slice(-1)
}

function older(one: SnapshotInfo, other: SnapshotInfo): SnapshotInfo {
  if (one.stale !== other.stale) return one.stale ? one : other
  return one.fetchedAt < other.fetchedAt ? one : other
}

const READ_AT_ONCE = 500

/** Reading a lead is cheap, but thousands may have a phone such as "-". */
async function tracesOfAll(candidates: readonly Candidate[]): Promise<Traces[]> {
  const traces: Traces[] = []
  for (const { table, row } of candidates) {
    traces.push(tracesOf(table.lead(row)))
    if (traces.length % READ_AT_ONCE === 0) await setImmediate()
  }
  return traces
}

export type FoundLead = Candidate & { id: string; createdAt: number; reason: ContactReason }

function newestFirst(candidates: readonly Candidate[], reasons: ReadonlyMap<number, ContactReason>): FoundLead[] {
  const found = candidates.flatMap(({ kind, table, row }, at): FoundLead[] => {
    const reason = reasons.get(at)
    return reason ? [{ kind, table, row, id: table.id[row] ?? '', createdAt: table.createdAt[row] ?? 0, reason }] : []
  })
  return found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}

async function describe(services: Services, viewer: Viewer, found: readonly FoundLead[], tables: readonly LeadTable[]) {
  const decided = tables.map(async (table) => ({ table, triage: await services.triage.current(table.kind) }))
  const personOf = createPersonFinder(await Promise.all(decided), viewer.schools)
  const leads = tables.map((table) => {
    const ofKind = found.filter(({ kind }) => kind === table.kind)
    return describeTable(services, table, ofKind, personOf)
  })
  const byLead = new Map((await Promise.all(leads)).flat())
  return found.flatMap((one) => byLead.get(one) ?? [])
}

async function describeTable(
  { triage, work, contactIds }: Services,
  table: LeadTable,
  found: readonly FoundLead[],
  personOf: PersonFinder,
): Promise<[FoundLead, ContactLead][]> {
  const { kind } = table
  const ids = found.map(({ id }) => id)
  const [entries, rules] = await Promise.all([triage.current(kind), work.rules(kind)])
  const [triageOf, workOf] = await Promise.all([
    triage.describe(entries, ids),
    triage.describeWork(table, ids, { triage: entries, work: rules }),
  ])
  return found.map((one) => {
    const { row, id, reason } = one
    const lead = table.lead(row)
    const contact = { contactId: contactIds.of(kind, lead), person: personOf(table, row), ...markOf(table, row) }
    const seenAt = new Date(table.seenAt[row] ?? 0).toISOString()
    const desk = { seenAt, triage: triageOf(id), ...workOf(row), ...contact }
    return 'user' in lead
      ? [one, { kind: 'declaration-of-interest', lead: { ...lead, ...desk }, reason }]
      : [one, { kind: 'asked-question', lead: { ...lead, ...desk }, reason }]
  })
}
