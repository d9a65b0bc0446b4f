import 'server-only'
import { and, eq, inArray, isNotNull, isNull, like, lt, ne, not, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { truncateAddress } from '@/server/access/ip-address'
import { MAIL_KEY_RETENTION_MS } from '@/server/access/mail-quota'
import { readSetting, writeSetting } from '@/server/access/settings'
import { NO_LINK } from '@/server/access/users'
import { protectedPersons, sessions } from '@/server/base/access-schema'
import { type Db, toChunks, tryWithLock } from '@/server/base/database'
import { isStorableText } from '@/server/base/parse-input'
import {
  activity,
  attempts,
  exports,
  mails,
  notes,
  savedViews,
  triage,
  triageDeletions,
  users,
} from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { forgetGoneLeads } from '@/server/feed/known-leads'
import { clearAttempts } from '@/server/leads/attempts'
import { findProtectedRows } from '@/server/leads/protected-rows'
import { eraseFromViews, readAllViews } from '@/server/leads/saved-views'
import { DELETION_RETENTION_MS } from '@/server/leads/triage-board'
import { lockTriage } from '@/server/leads/write-triage'
import { findAbsent, readHold, updatePurgeHold } from './purge-holds'

const LOCK = 'retention'

/** Deletes what Intag stores about leads, when a lead is gone and by age. The log is deleted by age alone. */
export async function runRetention(services: Services): Promise<void> {
  for (const kind of LEAD_KINDS) await purgeAbsent(services, kind)
  await endProtections(services)
  await deleteOld(services)
}

/** Returns the list of the last answer; null if it failed, because then nobody knows which leads are missing. */
function findTrustedTable({ feed }: Services, kind: LeadKind): LeadTable | null {
  const { content, problem } = kind === 'asked-question' ? feed.askedQuestions() : feed.declarations()
  return problem === null && content !== null ? content.table : null
}

const LEADS_AT_ONCE = 500

async function purgeAbsent(services: Services, kind: LeadKind): Promise<void> {
  const {
    connect,
    triage: board,
    logger,
    seal,
    known: { countGoneSince },
  } = services
  const { list } = LISTS_BY_KIND[kind]
  const table = findTrustedTable(services, kind)
  if (table === null) return
  const decided = [...(await board.getEntries(kind)).keys()]
  const purged = await tryWithLock(connect, LOCK, async (tx) => {
    const now = services.now()
    const withNotes = await tx.selectDistinct({ id: notes.leadId }).from(notes).where(eq(notes.kind, kind))
    const inViews = (await readAllViews(tx, seal)).flatMap(({ view, content }) =>
      view.list === list ? (content.query.id ?? []) : [],
    )
    // A view may name an id that no database can store.
    const ids = new Set([...decided, ...withNotes.map(({ id }) => id), ...inViews.filter(isStorableText)])
    const absentIds = await findAbsent(tx, kind, { ids, isPresent: (id) => table.findRow(id) !== -1 }, now)
    if (await updatePurgeHold(tx, { kind, size: table.size, countGoneSince }, now)) return 'on hold'
    for (const some of toChunks(absentIds, LEADS_AT_ONCE)) await deleteStaffData(tx, kind, some, now)
    const leads = absentIds.map((id) => ({ kind, id }))
    if (leads.length > 0) await eraseFromViews(tx, seal, leads, () => false)
    return leads.length
  })
  if (purged === 'on hold')
    logger.warn({ list }, 'too many leads are gone: nothing is purged until an administrator agrees')
  else if (purged) {
    board.invalidate()
    logger.info({ list, count: purged }, 'purged triage and notes of leads that are gone')
  }
}

/** Deletes what staff added to leads, except views and exports. */
export async function deleteStaffData(tx: Db, kind: LeadKind, ids: string[], now: number): Promise<void> {
  await lockTriage(tx, null, 'many')
  await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, ids)))
  await clearAttempts(tx, and(eq(attempts.kind, kind), inArray(attempts.leadId, ids)), new Date(now))
}

/** Ends protections without a lead for seven days. One with a lead never ends: that would disclose the identity. */
async function endProtections(services: Services): Promise<void> {
  const now = services.now()
  const tables = LEAD_KINDS.flatMap((kind) => findTrustedTable(services, kind) ?? [])
  if (tables.length < LEAD_KINDS.length) return
  const { protections } = await services.protections.getList()
  const ended = await tryWithLock(services.connect, LOCK, async (tx) => {
    for (const list of LEAD_LISTS) if ((await readHold(tx, list)) !== null) return []
    const matched = tables.flatMap((table) => [...findProtectedRows(protections, table).values()].flat())
    const presentIds = new Set(matched.map(({ id }) => id))
    const persons = { ids: protections.map(({ id }) => id), isPresent: (id: string) => presentIds.has(id) }
    const ids = await findAbsent(tx, 'protected-person', persons, now)
    if (ids.length === 0) return ids
    await tx.delete(protectedPersons).where(inArray(protectedPersons.id, ids))
    const entry = { userId: null, action: 'protection-lifted' } as const
    await services.activity.recordIn(tx, ...ids.map((id) => ({ ...entry, details: { protection: id } })))
    return ids
  })
  if (ended === null || ended.length === 0) return
  await services.announcer.announceProtections()
  services.logger.info({ count: ended.length }, 'ended protections of persons whose leads are gone')
}

const DAY_MS = 24 * 3_600_000
/** Sessions are kept long enough to see where a user was signed in last month. */
export const SESSION_RETENTION_MS = 30 * DAY_MS
/** After this time only the network of an address is kept. */
export const ADDRESS_RETENTION_MS = 90 * DAY_MS
/** A lead that comes back within this time does not count as new. */
const GONE_LEAD_RETENTION_MS = 30 * DAY_MS

/** Rows end after `retentionMs`, else after the retention period; deletions when every instance has read them. */
const rules: readonly { rows: PgTable; age: PgColumn; retentionMs?: number }[] = [
  { rows: notes, age: notes.createdAt },
  { rows: activity, age: activity.at },
  { rows: exports, age: exports.startedAt },
  { rows: savedViews, age: savedViews.createdAt },
  { rows: sessions, age: sessions.lastUsedAt, retentionMs: SESSION_RETENTION_MS },
  { rows: mails, age: mails.writtenAt, retentionMs: MAIL_KEY_RETENTION_MS },
  { rows: triageDeletions, age: triageDeletions.deletedAt, retentionMs: DELETION_RETENTION_MS },
]

const LAST_NIGHT = 'old-deleted'
const NIGHT_BEGINS_HOUR_MS = 2 * 3_600_000
const ROWS_AT_ONCE = 2_000
const ADDRESSES_AT_ONCE = 100

/** Runs once a night, from two in Stockholm, or later if that was missed. It stops if another instance has begun. */
async function deleteOld(services: Services): Promise<void> {
  const { connect, env, logger } = services
  const now = services.now()
  const night = stockholmDay(now - NIGHT_BEGINS_HOUR_MS)
  const db = await connect()
  const done = await readSetting(db, LAST_NIGHT)
  if (typeof done === 'string' && done >= night && done <= addDays(night, 1)) return
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - env.retentionMonths)
  const tasks: { limit: number; run: (tx: Db) => Promise<number> }[] = [
    ...rules.map(({ rows, age, retentionMs }) => {
      const moment = retentionMs === undefined ? before : new Date(now - retentionMs)
      const some = sql`ctid in (select ctid from ${rows} where ${lt(age, moment)} limit ${ROWS_AT_ONCE})`
      const row = sql`1`
      const run = async (tx: Db) => (await tx.delete(rows).where(some).returning({ row })).length
      return { limit: ROWS_AT_ONCE, run }
    }),
    {
      limit: ROWS_AT_ONCE,
      run: async (tx) => {
        await lockTriage(tx, null, 'many')
        const old = and(lt(attempts.at, before), isNotNull(attempts.outcome))
        const some = tx.select({ id: attempts.id }).from(attempts).where(old).limit(ROWS_AT_ONCE)
        return clearAttempts(tx, inArray(attempts.id, some), new Date(now))
      },
    },
    {
      limit: ADDRESSES_AT_ONCE,
      run: async (tx) => {
        const { at, address } = activity
        const isOld = lt(at, new Date(now - ADDRESS_RETENTION_MS))
        const isWhole = and(isOld, not(like(address, '%/%')), ne(address, 'unknown'))
        const found = await tx.selectDistinct({ address }).from(activity).where(isWhole).limit(ADDRESSES_AT_ONCE)
        const networks = found.map(({ address: whole }) => ({ whole, network: truncateAddress(whole ?? '') }))
        // One scan of the log serves all of them, because it is long and PGlite blocks this process.
        await tx.execute(sql`update ${activity} set address = shortened.network
          from json_to_recordset(${JSON.stringify(networks)}::json) as shortened(whole text, network text)
          where ${isWhole} and ${address} = shortened.whole`)
        return found.length
      },
    },
  ]
  for (const { limit, run } of tasks)
    for (let count: number | null = limit; count === limit;) {
      count = await tryWithLock(connect, LOCK, run)
      if (count === null) return
    }
  await tryWithLock(connect, LOCK, async (tx) => {
    const isReadByAll = lt(attempts.at, new Date(now - DELETION_RETENTION_MS))
    await tx.delete(attempts).where(and(isNull(attempts.outcome), isReadByAll))
    const isExpired = lt(users.linkExpiresAt, new Date(now))
    await tx.update(users).set(NO_LINK).where(isExpired)
    for (const kind of LEAD_KINDS)
      // During a hold gone leads are remembered, because the administrator is asked about them.
      if ((await readHold(tx, LISTS_BY_KIND[kind].list)) === null)
        await forgetGoneLeads(tx, kind, now - GONE_LEAD_RETENTION_MS)
    await writeSetting(tx, LAST_NIGHT, night, now)
    logger.info('rows older than the retention period are deleted')
  })
}
