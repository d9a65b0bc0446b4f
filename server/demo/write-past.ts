import 'server-only'
import { and, asc, eq, like, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { inParts } from '@/server/db/in-parts'
import { activitySeals } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import {
  activity,
  attempts,
  batches,
  exports,
  mentions,
  notes,
  savedViews,
  triage,
  triageDeletions,
} from '@/server/db/schema'
import { lockTriage } from '@/server/triage/write-triage'
import { INVENTED } from './colleagues'
import type { DeskPast } from './desk-past'
import type { Life, PastEntry } from './lead-lives'

const ALL_INVENTED = `${INVENTED}%`
/** Between two entries of people's own there is room for so many of the past, in the order of time. */
const ROOM = 1_000_000
const ROWS_AT_ONCE = 500

/** Where in the log people's own entries stand, oldest first: between them the past gets its numbers. */
export type Kept = readonly { at: number }[]

/**
 * Takes away the past that an earlier start invented, and keeps what people did by hand since; nobody may have read anything yet.
 * The log is numbered anew, so that the past comes before what is done from now on, and is sealed from its beginning.
 */
export async function clearPast(db: Db): Promise<Kept> {
  return db.transaction(async (tx) => {
    await lockTriage(tx)
    await tx.delete(triage).where(like(triage.updatedBy, ALL_INVENTED))
    // By the trigger, in this transaction: nobody has read the rows that are gone.
    await tx.delete(triageDeletions).where(eq(triageDeletions.deletedAt, sql`now()`))
    await tx.delete(attempts).where(and(like(attempts.userId, ALL_INVENTED), ofNobody(attempts)))
    await tx.delete(notes).where(like(notes.id, ALL_INVENTED))
    await tx.delete(savedViews).where(like(savedViews.id, ALL_INVENTED))
    await tx.delete(exports).where(like(exports.id, ALL_INVENTED))
    const ofExports = like(sql`${activity.details} ->> 'export'`, ALL_INVENTED)
    const ofOthers = and(
      like(activity.userId, ALL_INVENTED),
      ofNobody({ kind: activity.leadKind, leadId: activity.leadId }),
    )
    await tx.delete(activity).where(or(ofExports, ofOthers))
    await tx.delete(batches).where(notInArray(batches.state, ['changing', 'undoing']))
    return renumberLog(tx)
  })
}

/** Of a lead that no person has decided on: what is left of triage is people's own. */
function ofNobody({
  kind,
  leadId,
}: {
  kind: SQL | typeof attempts.kind | typeof activity.leadKind
  leadId: SQL | typeof attempts.leadId | typeof activity.leadId
}): SQL {
  return sql`not exists (select 1 from ${triage} where ${triage.kind} = ${kind} and ${triage.leadId} = ${leadId})`
}

async function renumberLog(tx: Db): Promise<Kept> {
  await tx.delete(activitySeals)
  const rows = await tx.select().from(activity).orderBy(asc(activity.at), asc(activity.id))
  if (rows.length > 0) await tx.delete(activity)
  const anew = rows.map((row, place) => ({ ...row, id: (place + 1) * ROOM, sealId: null }))
  for (const part of inParts(anew, ROWS_AT_ONCE)) await tx.insert(activity).overridingSystemValue().values(part)
  const next = (rows.length + 1) * ROOM
  await tx.execute(sql`select setval(pg_get_serial_sequence('activity', 'id'), ${next})`)
  return rows.map(({ at }) => ({ at: at.getTime() }))
}

export type Numbered = PastEntry & { number: number }

/** The entries in the order of time, each with its number in the log. */
export function numberEntries<Entry extends { at: number }>(
  entries: readonly Entry[],
  kept: Kept,
): (Entry & { number: number })[] {
  let [place, count] = [0, 0]
  return entries
    .toSorted((a, b) => a.at - b.at)
    .map((entry) => {
      while ((kept[place]?.at ?? Infinity) <= entry.at) [place, count] = [place + 1, 0]
      count += 1
      return { ...entry, number: place * ROOM + count }
    })
}

/** Some lives: their newest decisions and all their attempts. What a person has decided meanwhile stays. */
export async function writeLives(db: Db, lives: readonly Life[]): Promise<void> {
  const decided = lives.flatMap(({ kind, id, decisions }) => {
    const last = decisions.at(-1)
    return last ? [{ ...last, at: new Date(last.at).toISOString(), kind, id }] : []
  })
  await db.transaction(async (tx) => {
    await lockTriage(tx)
    await tx.execute(sql`
      insert into ${triage} (kind, lead_id, status, assignee_id, snooze_until, updated_at, updated_by)
      select kind, id, status, assignee, snooze, at, by from json_to_recordset(${JSON.stringify(decided)}::json)
        as given(kind text, id text, status text, assignee text, snooze text, at timestamptz, by text)
      on conflict (kind, lead_id) do nothing`)
  })
}

/** An attempt with the number of its entry in the log; without one where it is too old for the log. */
export type NumberedAttempt = Life['attempts'][number] & Pick<Life, 'kind' | 'id'> & { number: number | null }

export async function writeAttempts(db: Db, given: readonly NumberedAttempt[]): Promise<void> {
  const rows = JSON.stringify(given.map((one) => ({ ...one, at: new Date(one.at).toISOString() })))
  await db.transaction(async (tx) => {
    await lockTriage(tx)
    await tx.execute(sql`
      with given as (
        select * from json_to_recordset(${rows}::json)
          as given(number bigint, kind text, id text, by text, at timestamptz, channel text, outcome text)
      ), made as (
        insert into ${attempts} (kind, lead_id, user_id, at, channel, outcome)
        select kind, id, by, at, channel, outcome from given returning id, kind, lead_id, at
      )
      insert into ${activity} (id, at, user_id, action, lead_kind, lead_id, details) overriding system value
      select given.number, given.at, given.by, 'attempt-logged', given.kind, given.id,
        jsonb_build_object('attempt', made.id, 'channel', given.channel, 'outcome', given.outcome)
      from given join made on made.kind = given.kind and made.lead_id = given.id and made.at = given.at
      where given.number is not null`)
  })
}

export async function writeEntries(db: Db, entries: readonly Numbered[]): Promise<void> {
  const rows = JSON.stringify(entries.map((one) => ({ ...one, at: new Date(one.at).toISOString() })))
  await db.execute(sql`
    insert into ${activity} (id, at, user_id, action, lead_kind, lead_id, details) overriding system value
    select number, at, by, action, kind, id, details from json_to_recordset(${rows}::json)
      as given(number bigint, at timestamptz, by text, action text, kind text, id text, details jsonb)`)
}

export async function writeDesk(db: Db, past: DeskPast): Promise<void> {
  await db.transaction(async (tx) => {
    if (past.notes.length > 0) await tx.insert(notes).values(past.notes).onConflictDoNothing()
    if (past.mentions.length > 0) await tx.insert(mentions).values(past.mentions).onConflictDoNothing()
    if (past.views.length > 0) await tx.insert(savedViews).values(past.views).onConflictDoNothing()
    if (past.exports.length > 0) await tx.insert(exports).values(past.exports).onConflictDoNothing()
  })
}
