import 'server-only'
import { and, desc, eq, gte, inArray, lt, or, type SQL } from 'drizzle-orm'
import { createTranslator } from 'use-intl/core'
import type {
  ActivityItem,
  FollowedExport,
  LeadFollowUpQuery,
  ReaderFollowUpQuery,
  ReadingHour,
} from '@/lib/contract/activity'
import type { LeadRef } from '@/lib/contract/lead'
import { csvText } from '@/lib/export/csv'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { idsByKind } from '@/lib/leads/lead-key'
import { isHiddenRow } from '@/lib/leads/lead-table'
import { addDays, epochDay, momentText, stockholmClock, stockholmDayStart } from '@/lib/time/stockholm'
import { command, type CommandParts } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import { leadIdKey } from '@/server/contacts/contact-id'
import { type ContactParts, leadsOfPerson } from '@/server/contacts/get-contact'
import type { Db } from '@/server/db/database'
import { activity, exports } from '@/server/db/schema'
import { InvalidInputError } from '@/server/errors'
import { exportsHolding, decryptReason } from '@/server/export/export-log'
import { screenLanguage } from '@/server/http/input'
import { currentLeads, isListedLead, schoolInReach } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { userNames, type StoredUser } from '@/server/users/users'
import type { Services } from '@/server/services'
import { entriesWhere, knownUser } from './list-activity'
import { hourOf, hoursWithin } from './reading-hours'

export type FollowUpParts = ContactParts & CommandParts & Pick<Services, 'seal' | 'users' | 'reading' | 'now'>

const MAX_ENTRIES = 1_000

/** Who has looked at a lead. The query is itself logged, with the lead if it exists or existed. */
export async function followLeads(parts: FollowUpParts, viewer: Admin, query: LeadFollowUpQuery) {
  const { connect, seal, reading } = parts
  const hidden = await hiddenLead(parts, viewer, query)
  const leads = hidden === null ? await leadsAskedFor(parts, viewer, query) : [hidden]
  await reading.flush()
  const db = await connect()
  const { entries, hasMore } = await entriesWhere(db, or(...leads.map(isAbout)), MAX_ENTRIES)
  const answer = {
    leads: leads.map(({ kind, id }) => ({ kind, id })),
    isProtected: hidden !== null,
    entries,
    isCut: hasMore,
    exports: await exportsOfLeads(db, seal, leads),
    hours: await unusualHoursOf(parts, db, leads),
  }
  const details = { format: query.format }
  // Request text stays out of the log; only a single lead asked for by id can be unknown.
  const isKnown = (lead: LeadRef) => isListedLead(parts, lead) || answer.entries.length + answer.exports.length > 0
  await command(parts, viewer, 'admin', (_tx, log) =>
    log(...answer.leads.map((lead) => ({ action: 'log-followed' as const, ...(isKnown(lead) && { lead }), details }))),
  )
  return answer
}

type FollowedLead = LeadRef & { school: string | null; createdAt: number | null }

/** A lead whose identity is hidden from the viewer is shown alone: related leads would disclose the identity. */
async function hiddenLead(parts: FollowUpParts, viewer: Admin, { contact, kind, id }: LeadFollowUpQuery) {
  const key = contact === undefined ? null : parts.contactIds.read(contact)
  const named = key?.by === 'lead' ? key.kind : contact === undefined ? kind : undefined
  if (named === undefined) return null
  const { table } = await currentLeads(parts, viewer, named)
  for (const row of table.protection?.marks.keys() ?? []) {
    const leadId = table.id[row] ?? ''
    const isIt = key === null ? leadId === id : key.by === 'lead' && leadIdKey(leadId) === key.key
    const school = schoolInReach(table, viewer, leadId)
    if (isIt && school !== null && isHiddenRow(table, row))
      return { kind: named, id: leadId, school, createdAt: table.createdAt[row] ?? null }
  }
  return null
}

/** The contact's leads, given directly or by one of its leads; a lead that is gone is shown alone. */
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

/** Unusual hours since the first of the leads arrived, of users who may see one of their schools. */
async function unusualHoursOf({ users, seal, now }: FollowUpParts, db: Db, leads: readonly FollowedLead[]) {
  const schools = new Set(leads.flatMap(({ school }) => school ?? []))
  const since = leads.reduce((first, { createdAt }) => Math.min(first, createdAt ?? 0), now())
  const mayHaveSeen = ({ schools: userSchools }: StoredUser) =>
    schools.size === 0 || userSchools === 'all' || userSchools.some((school) => schools.has(school))
  const readers = new Map((await users.list()).filter(mayHaveSeen).map(({ id, name }) => [id, { id, name }]))
  const rows = await hoursWithin(db, { from: sinceLog(since), to: new Date(now()), isUnusual: true })
  return rows.flatMap((row) => {
    const user = readers.get(row.userId)
    return user === undefined ? [] : [{ ...hourOf(row, seal), user }]
  })
}

/** The log is younger than 1970, and PostgreSQL has no year 0. */
function sinceLog(ms: number): Date {
  return new Date(Math.max(0, ms))
}

const MAX_DAYS = 92

/** By hour, with opened leads and exports. Logged, too. */
export async function followReader(
  parts: FollowUpParts,
  viewer: Admin,
  { user, from, to, format }: ReaderFollowUpQuery,
) {
  if (epochDay(to) < epochDay(from) || epochDay(to) - epochDay(from) >= MAX_DAYS) throw new InvalidInputError('to')
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
  const hours = await hoursWithin(db, { userId: user, ...within })
  const { entries, hasMore } = await entriesWhere(db, isOpening, MAX_ENTRIES)
  const answer = {
    hours: hours.map((row) => hourOf(row, seal)),
    opened: entries,
    isCut: hasMore,
    exports: await exportsWhere(db, seal, isExport),
  }
  const person = await knownUser(db, user)
  const details = { ...(person !== undefined && { user: person }), days: `${from}–${to}`, format }
  await command(parts, viewer, 'admin', (_tx, log) => log({ action: 'log-followed', details }))
  return answer
}

async function exportsOfLeads(db: Db, seal: Seal, leads: readonly LeadRef[]): Promise<FollowedExport[]> {
  const found = new Map<string, LeadRef[]>()
  for (const [kind, ids] of idsByKind(leads)) {
    for (const [id, held] of await exportsHolding(db, kind, ids))
      found.set(
        id,
        Array.from(held, (leadId) => ({ kind, id: leadId })),
      )
  }
  const followed = await exportsWhere(db, seal, inArray(exports.id, [...found.keys()]))
  return followed.map((entry) => ({ ...entry, leads: found.get(entry.id) ?? [] }))
}

const MAX_EXPORTS = 500

async function exportsWhere(db: Db, seal: Seal, condition: SQL | undefined): Promise<FollowedExport[]> {
  const { id, at, userId, format, count, state, sealedReason } = exports
  const found = db.select({ id, at, userId, format, count, state, sealedReason }).from(exports).where(condition)
  const rows = await found.orderBy(desc(at)).limit(MAX_EXPORTS)
  const users = rows.map((row) => row.userId)
  const names = await userNames(db, users)
  return rows.map(({ sealedReason: sealed, userId: by, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    user: by === null ? null : { id: by, name: names.get(by) ?? '' },
    purpose: decryptReason({ id: row.id, sealedReason: sealed }, seal)?.purpose ?? '',
    leads: [],
  }))
}

type Call = { request: Request }

export async function answerLeadFollowUp(parts: FollowUpParts, viewer: Admin, query: LeadFollowUpQuery, call: Call) {
  const found = await followLeads(parts, viewer, query)
  return query.format === 'csv' ? followUpFile(found, 'loggkontroll', screenLanguage(call.request)) : found
}

export async function answerReaderFollowUp(
  parts: FollowUpParts,
  viewer: Admin,
  query: ReaderFollowUpQuery,
  call: Call,
) {
  const found = await followReader(parts, viewer, query)
  if (query.format !== 'csv') return found
  const name = `loggkontroll-${query.from}-${query.to}`
  return followUpFile({ ...found, entries: found.opened }, name, screenLanguage(call.request))
}

type Found = { entries: readonly ActivityItem[]; exports: readonly FollowedExport[]; hours: readonly Hour[] }
type Hour = ReadingHour & { user?: { name: string } }

/** Newest first, with a byte order mark and semicolons, as Excel in Swedish opens it. */
export async function followUpFile(found: Found, name: string, locale: Locale): Promise<Response> {
  const messages = await loadMessages(locale)
  const { when, who, what, kind, id, details, address, ...words } = messages.reading.file
  const names: Readonly<Record<string, string>> = messages.activity.name
  const t = createTranslator({ locale, messages })
  const lineOf = (at: string, by: string, did: string, lead: LeadRef | null, text: string, from = '') => {
    const leadKind = lead ? messages.activity.kindOf[lead.kind] : ''
    return { at, cells: [momentText(stockholmClock(Date.parse(at))), by, did, leadKind, lead?.id ?? '', text, from] }
  }
  const lines = [
    ...found.entries.map(({ at, user, action, lead, details: facts, address: from }) => {
      const text = Object.entries(facts).map(([fact, value]) => `${fact}: ${JSON.stringify(value)}`)
      return lineOf(at, user?.name ?? '', names[action] ?? action, lead, text.join(', '), from ?? '')
    }),
    ...found.exports.map(({ at, user, purpose, format, count, leads }) =>
      lineOf(at, user?.name ?? '', words.export, leads[0] ?? null, `${format}, ${count}: ${purpose}`),
    ),
    ...found.hours.map(({ hour, user, listed, opened, searches, unusualAt, reason }) => {
      const figures = t('reading.file.figures', { listed, opened, searches })
      const why = unusualAt === null ? [] : [`${words.unusual}: ${reason ?? words.unanswered}`]
      return lineOf(hour, user?.name ?? '', words.hour, null, [figures, ...why].join('. '))
    }),
  ]
  const rows = lines.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ cells }) => cells)
  const all = [[when, who, what, kind, id, details, address], ...rows]
  const body = all.map((cells) => `${cells.map(csvText).join(';')}\r\n`).join('')
  return new Response(`\uFEFF${body}`, {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}.csv"` },
  })
}
