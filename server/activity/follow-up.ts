import 'server-only'
import { and, desc, eq, gte, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type {
  FollowedExport,
  LeadFollowUp,
  LeadFollowUpQuery,
  ReaderFollowUp,
  ReaderFollowUpQuery,
} from '@/lib/contract/activity'
import { isHiddenRow } from '@/lib/leads/lead-table'
import { addDays, epochDay, stockholmDayStart } from '@/lib/time/stockholm'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { leadIdKey } from '@/server/contacts/contact-id'
import { type ContactParts, leadsOfPerson } from '@/server/contacts/get-contact'
import type { Db } from '@/server/db/database'
import { activity, exports } from '@/server/db/schema'
import { InvalidInputError } from '@/server/errors'
import { exportsHolding, purposeOf } from '@/server/export/export-log'
import { currentLeads, isListedLead, schoolInReach } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'
import type { StoredUser, Users } from '@/server/users/users'
import { knownUser, toItem } from './list-activity'
import type { Reading } from './reading'
import { hourOf, hoursWithin } from './reading-hours'

type Admin = Allowed<'admin'>

export type FollowUpParts = ContactParts &
  CommandParts & { seal: Seal; users: Pick<Users, 'list'>; reading: Pick<Reading, 'flush'>; now: () => number }

const MOST_ENTRIES = 1_000

/** That an administrator asked who has looked at a lead is itself logged, where there is or was such a lead. */
export async function followLeads(
  parts: FollowUpParts,
  viewer: Admin,
  query: LeadFollowUpQuery,
): Promise<LeadFollowUp> {
  const { connect, seal, reading } = parts
  const hidden = await hiddenLead(parts, viewer, query)
  const leads = hidden === null ? await leadsAskedFor(parts, viewer, query) : [hidden]
  await reading.flush()
  const db = await connect()
  const found = await entries(db, or(...leads.map(isAbout)))
  const answer = {
    leads: leads.map(({ kind, id }) => ({ kind, id })),
    isProtected: hidden !== null,
    ...found,
    exports: await exportsOfLeads(db, seal, leads),
    hours: await hoursOfMuch(parts, db, leads),
  }
  const details = { format: query.format }
  // Text of a request stays out of the log, and only a lead that is asked for alone can be unknown.
  const isKnown = (lead: LeadRef) => isListedLead(parts, lead) || answer.entries.length + answer.exports.length > 0
  await command(parts, viewer, 'admin', (_tx, log) =>
    log(...answer.leads.map((lead) => ({ action: 'log-followed' as const, ...(isKnown(lead) && { lead }), details }))),
  )
  return answer
}

type FollowedLead = LeadRef & { school: string | null; createdAt: number | null }

/** A lead whose person is not shown to the viewer stands for itself: what else is theirs would say who they are. */
async function hiddenLead(parts: FollowUpParts, viewer: Admin, { contact, kind, id }: LeadFollowUpQuery) {
  const key = contact === undefined ? null : parts.contactIds.read(contact)
  const named = key?.by === 'lead' ? key.kind : contact === undefined ? kind : undefined
  if (named === undefined) return null
  const { table } = await currentLeads(parts, viewer, named)
  for (const row of table.protection?.marks.keys() ?? []) {
    const own = table.id[row] ?? ''
    const isIt = key === null ? own === id : key.by === 'lead' && leadIdKey(own) === key.key
    const school = schoolInReach(table, viewer, own)
    if (isIt && school !== null && isHiddenRow(table, row))
      return { kind: named, id: own, school, createdAt: table.createdAt[row] ?? null }
  }
  return null
}

/** The leads of the contact that is named, or of the one that a lead leads to; a lead that is gone stands for itself. */
async function leadsAskedFor(parts: FollowUpParts, viewer: Admin, { contact, kind, id }: LeadFollowUpQuery) {
  if (contact !== undefined) return leadsOfPerson(parts, viewer, contact)
  if (kind === undefined || id === undefined) throw new InvalidInputError(kind === undefined ? 'kind' : 'id')
  const { table } = await currentLeads(parts, viewer, kind)
  const row = table.rowOf(id)
  if (row === -1) return [{ kind, id, school: null, createdAt: null }]
  return leadsOfPerson(parts, viewer, parts.contactIds.of(kind, table.lead(row)))
}

function isAbout({ kind, id }: LeadRef): SQL | undefined {
  return and(eq(activity.leadKind, kind), eq(activity.leadId, id))
}

async function entries(db: Db, condition: SQL | undefined) {
  const found = db.select().from(activity).where(condition)
  const rows = await found.orderBy(desc(activity.id)).limit(MOST_ENTRIES + 1)
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const names = await userNames(db, ids)
  return { entries: rows.slice(0, MOST_ENTRIES).map((row) => toItem(row, names)), isCut: rows.length > MOST_ENTRIES }
}

/** Hours with more than usual since the first of the leads came, of those who may see one of their schools. */
async function hoursOfMuch({ users, seal, now }: FollowUpParts, db: Db, leads: readonly FollowedLead[]) {
  const schools = new Set(leads.flatMap(({ school }) => school ?? []))
  const since = leads.reduce((first, { createdAt }) => Math.min(first, createdAt ?? 0), now())
  const mayHaveSeen = ({ schools: its }: StoredUser) =>
    schools.size === 0 || its === 'all' || its.some((one) => schools.has(one))
  const readers = new Map((await users.list()).filter(mayHaveSeen).map(({ id, name }) => [id, { id, name }]))
  const rows = await hoursWithin(db, { from: sinceLog(since), to: new Date(now()), isUnusual: true })
  return rows.flatMap((row) => {
    const user = readers.get(row.userId)
    return user === undefined ? [] : [{ ...hourOf(row, seal), user }]
  })
}

/** The log is younger than 1970, and PostgreSQL knows no year 0. */
function sinceLog(ms: number): Date {
  return new Date(Math.max(0, ms))
}

const MOST_DAYS = 92

/** What a person looked at within some days, hour by hour, with openings and exports; logged, too. */
export async function followReader(
  parts: FollowUpParts,
  viewer: Admin,
  { user, from, to, format }: ReaderFollowUpQuery,
): Promise<ReaderFollowUp> {
  if (epochDay(to) < epochDay(from) || epochDay(to) - epochDay(from) >= MOST_DAYS) throw new InvalidInputError('to')
  const { connect, seal, reading } = parts
  await reading.flush()
  const db = await connect()
  const within = { from: sinceLog(stockholmDayStart(from)), to: new Date(stockholmDayStart(addDays(to, 1))) }
  const isOpening = and(
    eq(activity.userId, user),
    inArray(activity.action, ['lead-opened', 'contact-opened']),
    gte(activity.at, within.from),
    lt(activity.at, within.to),
  )
  const isExport = and(eq(exports.userId, user), gte(exports.at, within.from), lt(exports.at, within.to))
  const hours = await hoursWithin(db, { users: [user], ...within })
  const opened = await entries(db, isOpening)
  const answer = {
    hours: hours.map((row) => hourOf(row, seal)),
    opened: opened.entries,
    isCut: opened.isCut,
    exports: await exportsWhere(db, seal, isExport),
  }
  const person = await knownUser(db, user)
  const details = { ...(person !== undefined && { user: person }), days: `${from}–${to}`, format }
  await command(parts, viewer, 'admin', (_tx, log) => log({ action: 'log-followed', details }))
  return answer
}

async function exportsOfLeads(db: Db, seal: Seal, leads: readonly LeadRef[]): Promise<FollowedExport[]> {
  const found = new Map<string, LeadRef[]>()
  for (const kind of LEAD_KINDS) {
    const ids = leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
    if (ids.length === 0) continue
    for (const [id, held] of await exportsHolding(db, kind, ids))
      found.set(
        id,
        held.map((leadId) => ({ kind, id: leadId })),
      )
  }
  const followed = await exportsWhere(db, seal, inArray(exports.id, [...found.keys()]))
  return followed.map((one) => ({ ...one, leads: found.get(one.id) ?? [] }))
}

const MOST_EXPORTS = 500

/** Newest first; which leads stands in the export itself. */
async function exportsWhere(db: Db, seal: Seal, condition: SQL | undefined): Promise<FollowedExport[]> {
  const { id, at, userId, format, count, state, sealedReason } = exports
  const found = db.select({ id, at, userId, format, count, state, sealedReason }).from(exports).where(condition)
  const rows = await found.orderBy(desc(at)).limit(MOST_EXPORTS)
  const ids = rows.flatMap((row) => row.userId ?? [])
  const names = await userNames(db, ids)
  return rows.map(({ sealedReason: sealed, userId: by, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    user: by === null ? null : { id: by, name: names.get(by) ?? '' },
    purpose: purposeOf({ id: row.id, sealedReason: sealed }, seal),
    leads: [],
  }))
}
