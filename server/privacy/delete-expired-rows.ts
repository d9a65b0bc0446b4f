import { and, isNotNull, isNull, like, lt, ne, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { addDays, toStockholmDay } from '@/lib/time/stockholm'
import { MAIL_KEY_RETENTION_MS } from '@/server/access/mail-quota'
import { readSetting, writeSetting } from '@/server/access/settings'
import { NO_PASSWORD_LINK } from '@/server/access/users'
import { sessions } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { activity, attempts, exports, mails, notes, savedViews, triageDeletions, users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { forgetGoneLeads } from '@/server/feed/known-leads-log'
import { clearAttempts } from '@/server/leads/attempts'
import { DELETION_RETENTION_MS } from '@/server/leads/triage-board'
import { lockTriage } from '@/server/leads/write-triage'
import { readHold } from './purge-holds'

/** Sessions are kept long enough to see where a user was signed in last month. */
export const SESSION_RETENTION_MS = 30 * DAY_MS
/** After this time only the network of an address is kept. */
export const ADDRESS_RETENTION_MS = 90 * DAY_MS
/** A lead that comes back within this time does not count as new. */
const GONE_LEAD_RETENTION_MS = 30 * DAY_MS

/** Rows are deleted `retentionMs` after `timestamp`, by default after the setting `RETENTION_MONTHS`. */
const RETENTION_RULES: readonly { timestamp: PgColumn; retentionMs?: number }[] = [
  { timestamp: notes.createdAt },
  { timestamp: activity.loggedAt },
  { timestamp: exports.startedAt },
  { timestamp: savedViews.createdAt },
  { timestamp: sessions.lastUsedAt, retentionMs: SESSION_RETENTION_MS },
  { timestamp: mails.writtenAt, retentionMs: MAIL_KEY_RETENTION_MS },
  { timestamp: triageDeletions.deletedAt, retentionMs: DELETION_RETENTION_MS },
]

const LAST_NIGHT_SETTING = 'old-deleted'
const NIGHT_START_MS = 2 * HOUR_MS
const BATCH_SIZE = 2_000

/** Runs once a night, after two in Stockholm. It stops while another instance runs it; a step may run twice. */
export async function deleteExpiredRows(services: Services) {
  const { connect, env, logger } = services
  const now = services.now()
  const night = toStockholmDay(now - NIGHT_START_MS)
  const lastNight = await readSetting(await connect(), LAST_NIGHT_SETTING)
  // A night further ahead was stored by a wrong clock, and does not count.
  if (typeof lastNight === 'string' && lastNight >= night && lastNight <= addDays(night, 1)) return
  // PostgreSQL ends a shorter month with its last day, where `setUTCMonth` would count on into the next month.
  const cutoff = sql`${new Date(now).toISOString()}::timestamptz - make_interval(months => ${env.retentionMonths}::int)`
  const steps = [
    ...RETENTION_RULES.map(({ timestamp, retentionMs }) => async (tx: Db) => {
      const isExpired = lt(timestamp, retentionMs === undefined ? cutoff : new Date(now - retentionMs))
      const deleted = tx.delete(timestamp.table).where(selectBatch(timestamp.table, isExpired))
      return (await deleted.returning({ row: sql`1` })).length
    }),
    async (tx: Db) => {
      // Clearing an attempt gives it a new revision, as triage has.
      await lockTriage(tx, null, 'many')
      const isExpired = and(lt(attempts.madeAt, cutoff), isNotNull(attempts.outcome))
      return clearAttempts(tx, selectBatch(attempts, isExpired), new Date(now))
    },
    (tx: Db) => truncateAddresses(tx, new Date(now - ADDRESS_RETENTION_MS)),
  ]
  for (const step of steps) {
    let count: number | null
    do {
      count = await tryWithLock(connect, step)
    } while (count === BATCH_SIZE)
    if (count === null) return
  }
  const isDone = await tryWithLock(connect, async (tx) => {
    // By now every instance has read that these attempts were cleared.
    const isReadByAll = lt(attempts.madeAt, new Date(now - DELETION_RETENTION_MS))
    await tx.delete(attempts).where(and(isNull(attempts.outcome), isReadByAll))
    const isExpired = lt(users.linkExpiresAt, new Date(now))
    await tx.update(users).set(NO_PASSWORD_LINK).where(isExpired)
    for (const kind of LEAD_KINDS)
      // During a hold gone leads are remembered, because the administrator is asked about them.
      if ((await readHold(tx, LISTS_BY_KIND[kind].list)) === null)
        await forgetGoneLeads(tx, kind, now - GONE_LEAD_RETENTION_MS)
    await writeSetting(tx, LAST_NIGHT_SETTING, night, now)
    return true
  })
  if (isDone) logger.info('rows older than the retention period are deleted')
}

/** Runs a step in a transaction under the lock of retention. Returns null at once while another instance holds it. */
export async function tryWithLock<T>(connect: Connect, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [lock] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext('intag.retention'))` })
      // Drizzle selects only from something.
      .from(sql`(values (1)) as once`)
    return lock?.isMine === true ? run(tx) : null
  })
}

/** Selects one batch of rows, so that other requests need not wait long. */
function selectBatch(table: PgTable, condition: SQL | undefined) {
  return sql`ctid in (select ctid from ${table} where ${condition} limit ${BATCH_SIZE})`
}

/** Keeps the network of an address: of IPv4 the /24, and of IPv6 the /48, which is one site (RFC 6177). */
async function truncateAddresses(tx: Db, end: Date) {
  const { loggedAt, address } = activity
  const isWhole = and(lt(loggedAt, end), not(like(address, '%/%')), ne(address, 'unknown'))
  const inet = sql`${address}::inet`
  const network = sql`network(set_masklen(${inet}, case family(${inet}) when 4 then 24 else 48 end))::text`
  const truncated = tx.update(activity).set({ address: network }).where(selectBatch(activity, isWhole))
  return (await truncated.returning({ id: activity.id })).length
}
