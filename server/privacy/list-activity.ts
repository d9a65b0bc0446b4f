import 'server-only'
import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { command } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, exports, users } from '@/server/base/schema'
import { askExports, exportsHolding } from '@/server/export/export-log'
import { isListedLead } from '@/server/leads/select-leads'
import { userNames } from '@/server/access/users'
import type { Services } from '@/server/base/services'

type EntryQuery = Omit<ActivityQuery, 'lead'>

/** Newest first. A lead's entries include exports that contained it. Queries about a user or lead are logged. */
export async function listActivity(services: Services, viewer: Admin, { lead, id = lead, ...others }: ActivityQuery) {
  const query = { ...others, id }
  await services.openings.flush()
  const answer = await entriesOf(await services.connect(), query)
  await logAsking(services, viewer, query)
  return answer
}

/** Logged once, not for each page of the answer. */
async function logAsking(services: Services, viewer: Admin, { user, kind, id, before }: EntryQuery): Promise<void> {
  if (before !== undefined || (user === undefined && id === undefined)) return
  const db = await services.connect()
  const person = user === undefined ? undefined : await knownUser(db, user)
  const lead = kind === undefined || id === undefined ? undefined : await knownLead(db, services, { kind, id })
  const asked = { ...(lead && { lead }), ...(person !== undefined && { details: { user: person } }) }
  await command(services, viewer, 'admin', (_tx, log) => log({ action: 'log-followed', ...asked }))
}

async function entriesOf(db: Db, query: EntryQuery): Promise<{ entries: ActivityItem[]; hasMore: boolean }> {
  const { user, kind, id, action, before, limit } = query
  const isAsked = and(
    user === undefined ? undefined : eq(activity.userId, user),
    await aboutLead(db, kind, id),
    action === undefined ? undefined : eq(activity.action, action),
    before === undefined ? undefined : lt(activity.id, before),
  )
  const found = db.select().from(activity).where(isAsked)
  const rows = await found.orderBy(desc(activity.id)).limit(limit + 1)
  const authors = rows.map(({ userId }) => userId)
  const names = await userNames(db, authors)
  return { entries: rows.slice(0, limit).map((row) => toItem(row, names)), hasMore: rows.length > limit }
}

async function aboutLead(db: Db, kind: LeadKind | undefined, id: string | undefined): Promise<SQL | undefined> {
  const ofKind = kind === undefined ? undefined : eq(activity.leadKind, kind)
  if (id === undefined) return ofKind
  const exported = await exportEntriesOfLead(db, kind, id)
  const itself = and(ofKind, eq(activity.leadId, id))
  return exported.length === 0 ? itself : or(itself, inArray(activity.id, exported))
}

async function exportEntriesOfLead(db: Db, kind: LeadKind | undefined, leadId: string): Promise<number[]> {
  const holding: string[] = []
  const isIn = sql<boolean>`${leadId} = any(${exports.leadIds})`
  for await (const { id, answer } of askExports(db, kind, isIn)) if (answer) holding.push(id)
  return holding.length === 0 ? [] : entriesOfExports(db, holding)
}

/** The log is long, so its index is used: by user and time of the export. */
async function entriesOfExports(db: Db, exportIds: string[]): Promise<number[]> {
  const isIts = and(
    eq(activity.userId, exports.userId),
    gte(activity.at, exports.at),
    lte(activity.at, sql`coalesce(${exports.endedAt}, ${exports.at}) + interval '1 minute'`),
    inArray(activity.action, ['export-started', 'export-ended']),
    sql`${activity.details} ->> 'export' = ${exports.id}`,
  )
  const entries = db.select({ id: activity.id }).from(exports).innerJoin(activity, isIts)
  const rows = await entries.where(inArray(exports.id, exportIds))
  return rows.map(({ id }) => id)
}

function toItem(row: typeof activity.$inferSelect, names: ReadonlyMap<string, string>): ActivityItem {
  const { id, at, userId, action, leadKind, leadId, details, address } = row
  return {
    id,
    at: at.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? '' },
    action,
    lead: leadKind === null || leadId === null ? null : { kind: leadKind, id: leadId },
    details: details ?? {},
    address,
  }
}

/** A queried id is logged only if it exists: otherwise it is text of a request. */

async function knownUser(db: Db, id: string): Promise<string | undefined> {
  const isKnown = (await db.$count(users, eq(users.id, id))) > 0 || (await isLogged(db, eq(activity.userId, id)))
  return isKnown ? id : undefined
}

async function knownLead(db: Db, services: Services, { kind, id }: LeadRef): Promise<LeadRef | undefined> {
  const isKnown =
    isListedLead(services, { kind, id }) ||
    (await isLogged(db, and(eq(activity.leadKind, kind), eq(activity.leadId, id)))) ||
    (await exportsHolding(db, kind, [id])).size > 0
  return isKnown ? { kind, id } : undefined
}

async function isLogged(db: Db, which: SQL | undefined): Promise<boolean> {
  return (await db.select({ id: activity.id }).from(activity).where(which).limit(1)).length > 0
}
