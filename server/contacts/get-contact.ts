import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, eq, gt, sql } from 'drizzle-orm'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { leadsOfContact, type Traces, tracesOf } from '@/lib/contacts/contact-leads'
import { type PersonBeside, personBeside } from '@/lib/contacts/person-beside'
import { type RowsInReach, rowsByKeys } from '@/lib/contacts/contact-groups'
import type { Contact, ContactLead, ContactReason } from '@/lib/contract/contact'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadKind, LeadRef, LeadWork } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isHiddenRow } from '@/lib/leads/protected-table'
import { selectRows } from '@/lib/leads/select-rows'
import { allIsWork } from '@/lib/leads/work-rules'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import { activity } from '@/server/db/schema'
import { NotFoundError } from '@/server/errors'
import { isStorableText } from '@/server/http/input'
import { markOf } from '@/server/leads/list-leads'
import { currentLeads, type LeadParts } from '@/server/leads/select-leads'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'
import { type ContactIds, type ContactKey, leadIdKey } from './contact-id'

export type ContactParts = LeadParts & { contactIds: ContactIds }
type Parts = ContactParts &
  CommandParts & {
    triage: Pick<TriageBoard, 'current' | 'describe' | 'describeWork'>
    work: Pick<Work, 'rules'>
    reading: Pick<Reading, 'shown' | 'opened'>
    now: () => number
  }

const MOST_LEADS = 500

/**
 * Every lead within reach by the person that the id names, newest first, at most 500 of them, and why each belongs; logged.
 * NotFoundError alike for an invalid id and for a person who wrote to nobody within reach.
 */
export async function getContact(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  { id }: { id: string },
): Promise<Contact> {
  const { found, named, tables, snapshot } = await findContact(parts, viewer, id)
  await logOpened(parts, viewer, { kind: named.kind, id: named.id })
  const shown = found.slice(0, MOST_LEADS)
  for (const one of shown) parts.reading.shown(viewer.id, one.kind, [one.id])
  return {
    id,
    leads: await describe(parts, shown, await personsOf(parts, viewer, tables)),
    total: found.length,
    snapshot,
  }
}

/** The same leads, by their ids, for whoever looks into the log and not at them. */
export async function leadsOfPerson(parts: ContactParts, viewer: Allowed<'leads:read'>, id: string) {
  const { found } = await findContact(parts, viewer, id)
  return found.slice(0, MOST_LEADS).map(({ kind, id: leadId, createdAt, table, row }) => {
    return { kind, id: leadId, createdAt, school: table.schoolIds[table.school[row] ?? -1] ?? null }
  })
}

/** The same leads, without a word in the log; `named` is the one that the contact is known by in the log. */
export async function findContact(
  parts: ContactParts,
  viewer: Allowed<'leads:read'>,
  id: string,
): Promise<{ found: FoundLead[]; named: FoundLead } & Pick<Candidates, 'tables' | 'snapshot'>> {
  const key = parts.contactIds.read(id)
  if (key === null) throw new NotFoundError()
  const { candidates, anchors, tables, snapshot } = await findCandidates(parts, viewer, key)
  const reasons =
    key.by === 'lead'
      ? new Map<number, ContactReason>(anchors.map((at) => [at, { by: 'anchor', sameName: null }]))
      : leadsOfContact(await tracesOfAll(candidates), { by: key.by, anchors })
  const found = newestFirst(candidates, reasons)
  const named = found.findLast(({ reason }) => reason.by === 'anchor')
  if (!named) throw new NotFoundError()
  return { found, named, tables, snapshot }
}

/** One row of a list within the viewer's reach. */
type Candidate = { kind: LeadKind; table: LeadTable; row: number }
type Candidates = {
  candidates: Candidate[]
  /** The indexes of those with the very key that was asked for. */
  anchors: number[]
  tables: LeadTable[]
  /** Of the list whose data is stale or older. */
  snapshot: SnapshotInfo
}

/** Who may belong to the contact by the keys alone; never a lead out of reach, so that none joins two within. */
async function findCandidates(parts: LeadParts, viewer: Viewer, key: ContactKey): Promise<Candidates> {
  const [questions, declarations] = await Promise.all([
    currentLeads(parts, viewer, 'asked-question'),
    currentLeads(parts, viewer, 'declaration-of-interest'),
  ])
  const lists = [
    { kind: 'asked-question', table: questions.table },
    { kind: 'declaration-of-interest', table: declarations.table },
  ] as const
  const inReach = lists.map(({ table }) => ({ table, rows: rowsInReach(viewer, table) }))
  const rowsOf = key.by === 'lead' ? loneRows(lists, inReach, key) : rowsByKeys(inReach, keysOf(key))
  const candidates = lists.flatMap(({ kind, table }, index) =>
    Array.from(rowsOf[index] ?? [], (row) => ({ kind, table, row })),
  )
  const anchors = candidates.flatMap((one, at) => (key.by === 'lead' || keyOfRow(one, key.by) === key.key ? [at] : []))
  const tables = [questions.table, declarations.table]
  return { candidates, anchors, tables, snapshot: worse(questions.snapshot, declarations.snapshot) }
}

/** Nobody's page is opened who is not shown to the viewer, nor do their leads join two others. */
function rowsInReach({ schools, id }: Viewer, table: LeadTable): Uint32Array {
  const rows = selectRows(table, {}, { schools, viewerId: id, lastVisitAt: null, triage: new Map(), work: allIsWork })
  return table.protection === undefined ? rows : rows.filter((row) => !isHiddenRow(table, row))
}

function keysOf({ by, key }: { by: 'email' | 'phone'; key: number }) {
  return { email: new Set(by === 'email' ? [key] : []), phone: new Set(by === 'phone' ? [key] : []) }
}

function keyOfRow({ table, row }: Candidate, by: 'email' | 'phone'): number | undefined {
  return (by === 'email' ? table.emailKey : table.phoneKey)[row]
}

/** The one lead of a person who left neither e-mail nor phone. */
function loneRows(
  lists: readonly { kind: LeadKind }[],
  inReach: readonly RowsInReach[],
  { kind, key }: { kind: LeadKind; key: number },
): Uint32Array[] {
  return inReach.map(({ table, rows }, index) => {
    if (lists[index]?.kind !== kind) return new Uint32Array()
    const isLone = (row: number) => table.emailKey[row] === NO_KEY && table.phoneKey[row] === NO_KEY
    return rows.filter((row) => isLone(row) && leadIdKey(table.id[row] ?? '') === key).slice(-1)
  })
}

function worse(one: SnapshotInfo, other: SnapshotInfo): SnapshotInfo {
  if (one.stale !== other.stale) return one.stale ? one : other
  return one.fetchedAt < other.fetchedAt ? one : other
}

const READ_AT_ONCE = 500

/** Reading a lead is cheap, but a phone such as "-" may be that of thousands. */
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

const SAME_OPENING_MS = 10 * 60_000

/** Logs that the viewer opened the contact of this lead, once in ten minutes: a screen that refreshes is one opening. */
async function logOpened(parts: Parts, viewer: Viewer, lead: LeadRef): Promise<void> {
  if (!isStorableText(lead.id)) return
  parts.reading.opened(viewer.id, lead, { isLogged: true })
  const isOpening = and(
    eq(activity.userId, viewer.id),
    gt(activity.at, new Date(parts.now() - SAME_OPENING_MS)),
    eq(activity.action, 'contact-opened'),
    eq(activity.leadKind, lead.kind),
    eq(activity.leadId, lead.id),
  )
  await command(parts, viewer, 'leads:read', async (tx, log) => {
    // A page and its first request come together, and are one opening.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.opened'), hashtext(${viewer.id}))`)
    const [known] = await tx.select({ id: activity.id }).from(activity).where(isOpening).limit(1)
    if (known) log.nothing()
    else await log({ action: 'contact-opened', lead })
  })
}

/** The leads as the contract has them, with triage and the contact each is named by. */
async function describe(parts: Parts, found: readonly FoundLead[], personOf: PersonBeside): Promise<ContactLead[]> {
  const told = {
    'asked-question': await deskOf(parts, 'asked-question', found),
    'declaration-of-interest': await deskOf(parts, 'declaration-of-interest', found),
  }
  return found.map(({ kind, table, row, id, reason }): ContactLead => {
    const lead = table.lead(row)
    const { triageOf, workOf } = told[kind]
    const desk = {
      triage: triageOf(id),
      ...workOf(row),
      contactId: parts.contactIds.of(kind, lead),
      person: personOf(table, row),
      ...markOf(table, row),
    }
    return 'user' in lead
      ? { kind: 'declaration-of-interest', lead: { ...lead, ...desk }, reason }
      : { kind: 'asked-question', lead: { ...lead, ...desk }, reason }
  })
}

async function personsOf({ triage }: Parts, { schools }: Viewer, tables: readonly LeadTable[]): Promise<PersonBeside> {
  const decided = tables.map(async (table) => ({ table, triage: await triage.current(table.kind) }))
  return personBeside(await Promise.all(decided), schools)
}

/** What was decided and done about the leads of one kind, which are all of one table. */
async function deskOf({ triage, work }: Parts, kind: LeadKind, found: readonly FoundLead[]) {
  const its = found.filter((one) => one.kind === kind)
  const ids = its.map(({ id }) => id)
  const table = its[0]?.table
  const [entries, rules] = await Promise.all([triage.current(kind), work.rules(kind)])
  const [triageOf, workOf] = await Promise.all([
    triage.describe(entries, ids, { updatedBy: true }),
    table ? triage.describeWork(table, ids, { triage: entries, work: rules }) : () => NOT_THERE,
  ])
  return { triageOf, workOf }
}

const NOT_THERE: LeadWork = {
  attempts: { count: 0, last: null },
  snoozeUntil: null,
  waitingSince: null,
  due: null,
  late: false,
}
