import 'server-only'
import { and, like, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { activitySeals } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { activity, attempts, batches, exports, notes, savedViews, triage } from '@/server/db/schema'
import { lockTriage } from '@/server/triage/write-triage'
import { INVENTED } from './colleagues'
import type { PastEntry } from './lead-lives'

const ALL_INVENTED = `${INVENTED}%`
/** Between two entries of people's own there is room for so many of the past, in the order of time. */
const ROOM = 1_000_000
const ATTEMPTS = sql`pg_get_serial_sequence('attempts', 'id')`

/**
 * What people did by hand: with which leads, as `kind id`, and the moments of its entries in the log, oldest first. And the number
 * after which attempts have room for the past.
 */
export type Kept = { leads: ReadonlySet<string>; log: readonly number[]; attempt: number }

/**
 * Takes away the past that an earlier start invented, and keeps what people did by hand since; nobody may have read anything yet.
 * The log is numbered anew, so that the past comes before what is done from now on, and is sealed from its beginning.
 */
export async function clearPast(db: Db): Promise<Kept> {
  return db.transaction(async (tx) => {
    await lockTriage(tx)
    await keepOnly(tx, triage, isByPeople(triage.updatedBy))
    const ofTried = or(isByPeople(attempts.userId), isDecided(attempts.kind, attempts.leadId))
    await keepOnly(tx, attempts, ofTried)
    const ofEntries = or(isByPeople(activity.userId), isDecided(activity.leadKind, activity.leadId))
    const ofPeople = and(ofEntries, isByPeople(sql`${activity.details} ->> 'export'`))
    const numbers = sql`select id as old, row_number() over (order by at, id) as place from kept`
    const anew = sql`update kept set seal_id = null, id = place * ${ROOM} from (${numbers}) as numbers where id = old`
    await keepOnly(tx, activity, ofPeople, anew)
    await tx.execute(sql`truncate ${activitySeals}`)
    await tx.delete(notes).where(like(notes.id, ALL_INVENTED))
    await tx.delete(savedViews).where(like(savedViews.id, ALL_INVENTED))
    await tx.delete(exports).where(like(exports.id, ALL_INVENTED))
    await tx.delete(batches).where(notInArray(batches.state, ['changing', 'undoing']))
    const log = await tx.select({ at: activity.at }).from(activity).orderBy(activity.id)
    await tx.execute(sql`select setval(pg_get_serial_sequence('activity', 'id'), ${(log.length + 1) * ROOM})`)
    const last = sql<number>`setval(${ATTEMPTS}, nextval(${ATTEMPTS}) + ${ROOM})`
    const [room] = await tx.select({ last }).from(sql`(values (1)) as once`)
    const decided = await tx.select({ kind: triage.kind, id: triage.leadId }).from(triage)
    const tried = await tx.select({ kind: attempts.kind, id: attempts.leadId }).from(attempts)
    const leads = new Set([...decided, ...tried].map(({ kind, id }) => `${kind} ${id}`))
    return { leads, log: log.map(({ at }) => at.getTime()), attempt: Number(room?.last) - ROOM }
  })
}

/** Writes a table anew: what is deleted would stay in its files, for nobody tidies up behind PGlite. */
async function keepOnly(tx: Db, table: PgTable, isKept: SQL | undefined, change?: SQL): Promise<void> {
  await tx.execute(sql`create temp table kept on commit drop as select * from ${table} where ${isKept}`)
  if (change) await tx.execute(change)
  await tx.execute(sql`truncate ${table}`)
  await tx.execute(sql`insert into ${table} overriding system value select * from kept`)
  await tx.execute(sql`drop table kept`)
}

function isByPeople(id: PgColumn | SQL): SQL {
  return sql`(${id} like ${ALL_INVENTED}) is not true`
}

/** What is left of triage is people's own: of such a lead everything stays. */
function isDecided(kind: PgColumn, id: PgColumn): SQL {
  return sql`exists (select from ${triage} where ${triage.kind} = ${kind} and ${triage.leadId} = ${id})`
}

/** Gives the entries their places in the log, between those of people's own, and the attempts their numbers. */
export function numberEntries(entries: readonly PastEntry[], { log, attempt }: Kept): void {
  let [place, count, tried] = [0, 0, attempt]
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    while ((log[place] ?? Infinity) <= entry.at) [place, count] = [place + 1, 0]
    count += 1
    entry.number = place * ROOM + count
    if (entry.action === 'attempt-logged') entry.details = { attempt: (tried += 1), ...entry.details }
  }
}

/** What was done with some leads, as it stands now: decisions and attempts. What a person has decided meanwhile stays. */
export async function writeLives(db: Db, lived: readonly { life: readonly PastEntry[] }[]): Promise<void> {
  const entries = lived.flatMap(({ life }) => {
    const last = life.findLast(({ action }) => action === 'triage-changed')
    return life.filter((entry) => entry === last || entry.action === 'attempt-logged')
  })
  await db.transaction(async (tx) => {
    await lockTriage(tx)
    await tx.execute(sql`
      with ${given(entries)}, tried as (
        insert into ${attempts} (id, kind, lead_id, user_id, at, channel, outcome) overriding system value
        select (details ->> 'attempt')::bigint, kind, id, by, moment, details ->> 'channel', details ->> 'outcome'
        from given where action = 'attempt-logged'
      )
      insert into ${triage} (kind, lead_id, status, assignee_id, snooze_until, updated_at, updated_by, status_at)
      select kind, id, details ->> 'to', details ->> 'assignee', details ->> 'snoozeUntil', moment, by, moment
      from given where action = 'triage-changed' on conflict (kind, lead_id) do nothing`)
  })
}

export async function writeEntries(db: Db, entries: readonly PastEntry[]): Promise<void> {
  await db.execute(sql`
    with ${given(entries)}
    insert into ${activity} (id, at, user_id, action, lead_kind, lead_id, details) overriding system value
    select number, moment, by, action, kind, id, details from given`)
}

/** Entries as rows; one parameter for all of them, which is the fastest. */
function given(entries: readonly PastEntry[]): SQL {
  return sql`given as (
    select *, to_timestamp(at / 1000) as moment from json_to_recordset(${JSON.stringify(entries)}::json)
      as entry(number bigint, at float8, by text, action text, kind text, id text, details jsonb))`
}
