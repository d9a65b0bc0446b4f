import { and, isNotNull, isNull, like, lt, ne, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { MAIL_KEY_RETENTION_MS } from '@/server/access/mail-quota'
import { readSetting, writeSetting } from '@/server/access/settings'
import { NO_LINK } from '@/server/access/users'
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

/** Rows are deleted after `retentionMs`, or else after `RETENTION_MONTHS`. */
const RULES: readonly { rows: PgTable; age: PgColumn; retentionMs?: number }[] = [
  { rows: notes, age: notes.createdAt },
  { rows: activity, age: activity.loggedAt },
  { rows: exports, age: exports.startedAt },
  { rows: savedViews, age: savedViews.createdAt },
  { rows: sessions, age: sessions.lastUsedAt, retentionMs: SESSION_RETENTION_MS },
  { rows: mails, age: mails.writtenAt, retentionMs: MAIL_KEY_RETENTION_MS },
  { rows: triageDeletions, age: triageDeletions.deletedAt, retentionMs: DELETION_RETENTION_MS },
]

const LAST_NIGHT = 'old-deleted'
const NIGHT_BEGINS_HOUR_MS = 2 * HOUR_MS
const ROWS_AT_ONCE = 2_000

/** Runs once a night, from two in Stockholm, or later if that was missed. It stops if another instance has begun. */
export async function deleteOld(services: Services) {
  const { connect, env, logger } = services
  const now = services.now()
  const night = stockholmDay(now - NIGHT_BEGINS_HOUR_MS)
  const lastNight = await readSetting(await connect(), LAST_NIGHT)
  // A night further ahead was stored by a wrong clock, and does not count.
  if (typeof lastNight === 'string' && lastNight >= night && lastNight <= addDays(night, 1)) return
  const periodBegins = new Date(now)
  periodBegins.setUTCMonth(periodBegins.getUTCMonth() - env.retentionMonths)
  const steps = [
    ...RULES.map(({ rows, age, retentionMs }) => async (tx: Db) => {
      const old = lt(age, retentionMs === undefined ? periodBegins : new Date(now - retentionMs))
      const deleted = tx.delete(rows).where(firstRows(rows, old))
      return (await deleted.returning({ row: sql`1` })).length
    }),
    async (tx: Db) => {
      await lockTriage(tx, null, 'many')
      const old = and(lt(attempts.madeAt, periodBegins), isNotNull(attempts.outcome))
      return clearAttempts(tx, firstRows(attempts, old), new Date(now))
    },
    (tx: Db) => truncateAddresses(tx, new Date(now - ADDRESS_RETENTION_MS)),
  ]
  for (const step of steps) {
    let count: number | null
    do {
      count = await tryWithLock(connect, step)
    } while (count === ROWS_AT_ONCE)
    if (count === null) return
  }
  await tryWithLock(connect, async (tx) => {
    const readByAll = lt(attempts.madeAt, new Date(now - DELETION_RETENTION_MS))
    await tx.delete(attempts).where(and(isNull(attempts.outcome), readByAll))
    const expired = lt(users.linkExpiresAt, new Date(now))
    await tx.update(users).set(NO_LINK).where(expired)
    for (const kind of LEAD_KINDS)
      // During a hold gone leads are remembered, because the administrator is asked about them.
      if ((await readHold(tx, LISTS_BY_KIND[kind].list)) === null)
        await forgetGoneLeads(tx, kind, now - GONE_LEAD_RETENTION_MS)
    await writeSetting(tx, LAST_NIGHT, night, now)
    logger.info('rows older than the retention period are deleted')
  })
}

/** Runs a step in a transaction under the lock of retention. Returns null at once while another instance holds it. */
export async function tryWithLock<T>(connect: Connect, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [lock] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext('intag.retention'))` })
      .from(sql`(values (1)) as once`)
    return lock?.isMine === true ? run(tx) : null
  })
}

/** Selects so many rows that other requests need not wait long for a step. */
function firstRows(rows: PgTable, condition: SQL | undefined) {
  return sql`ctid in (select ctid from ${rows} where ${condition} limit ${ROWS_AT_ONCE})`
}

/** Keeps the network of an address: of IPv4 the /24, and of IPv6 the /48, which is one site (RFC 6177). */
async function truncateAddresses(tx: Db, before: Date) {
  const { loggedAt, address } = activity
  const whole = and(lt(loggedAt, before), not(like(address, '%/%')), ne(address, 'unknown'))
  const inet = sql`${address}::inet`
  const network = sql`network(set_masklen(${inet}, case family(${inet}) when 4 then 24 else 48 end))::text`
  const truncated = tx.update(activity).set({ address: network }).where(firstRows(activity, whole))
  return (await truncated.returning({ id: activity.id })).length
}
