import 'server-only'
import { and, getTableColumns, like, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { leadKey } from '@/lib/leads/lead-key'
import { type Db, inParts } from '@/server/db/database'
import { activity, attempts, exports, mentions, notes, savedViews, triage } from '@/server/db/schema'
import { lockTriage } from '@/server/triage/write-triage'
import { INVENTED } from './scene'

type Rows<T extends PgTable> = readonly T['$inferInsert'][]
export type DemoHistory = {
  triage: Rows<typeof triage>
  attempts: Rows<typeof attempts>
  notes: Rows<typeof notes>
  mentions: Rows<typeof mentions>
  savedViews: Rows<typeof savedViews>
  exports: Rows<typeof exports>
  log: Rows<typeof activity>
}

const ALL_INVENTED = `${INVENTED}%`
// `is not true`, because without a user (the system, a removed user) nothing was invented either.
const isNotInvented = (id: PgColumn | SQL) => sql`(${id} like ${ALL_INVENTED}) is not true`
/** On a lead that people decided about, everything stays. */
const isOnDecidedLead = (kind: PgColumn, id: PgColumn) => sql`exists (select from ${triage}
  where ${triage.kind} = ${kind} and ${triage.leadId} = ${id} and ${isNotInvented(triage.updatedBy)})`

/**
 * Within one transaction: replaces the rows of an earlier start by what `invent` returns. People's own rows stay,
 * and `invent` skips the leads they touched (`leadKey`). The log
 * starts at `since`.
 */
export async function writeDemoHistory(tx: Db, since: Date, invent: (touched: ReadonlySet<string>) => DemoHistory) {
  await lockTriage(tx, null, 'many')
  const keptTriage = await tx.select().from(triage).where(isNotInvented(triage.updatedBy))
  const isKeptAttempt = or(isNotInvented(attempts.userId), isOnDecidedLead(attempts.kind, attempts.leadId))
  const keptAttempts = await tx.select().from(attempts).where(isKeptAttempt)
  const isKeptEntry = and(
    or(isNotInvented(activity.userId), isOnDecidedLead(activity.leadKind, activity.leadId)),
    isNotInvented(sql`${activity.details} ->> 'export'`),
  )
  const keptEntries = await tx.select().from(activity).where(isKeptEntry)
  const history = invent(new Set([...keptTriage, ...keptAttempts].map(({ kind, leadId: id }) => leadKey({ kind, id }))))

  // Truncated, because PGlite does not vacuum.
  await tx.execute(sql`truncate ${triage}, ${attempts}, ${activity}`)
  for (const table of [notes, savedViews, exports]) await tx.delete(table).where(like(table.id, ALL_INVENTED))
  await insertRows(tx, triage, history.triage)
  await insertRows(tx, attempts, history.attempts)
  await insertRows(tx, notes, history.notes)
  await insertRows(tx, mentions, history.mentions)
  await insertRows(tx, savedViews, history.savedViews)
  await insertRows(tx, exports, history.exports)
  await writeLog(tx, since, [...keptEntries, ...history.log])
  // Only now: the log made from the tables would have their entries twice.
  await insertRows(tx, triage, keptTriage)
  await insertRows(tx, attempts, keptAttempts)
}

/** Writes `rest` and an entry for each row of the tables, in order of time. */
async function writeLog(tx: Db, since: Date, rest: Rows<typeof activity>): Promise<void> {
  const isInvented = sql`id like ${ALL_INVENTED}`
  await tx.execute(sql`
    insert into ${activity} (id, at, user_id, action, lead_kind, lead_id, details, address) overriding system value
    select row_number() over (order by at, id, action), at, by, action, kind, lead, details, address from (
      select id, at, "userId", action, "leadKind", "leadId", details, address
      from json_to_recordset(${JSON.stringify(rest)}::json) as rest(id bigint, at timestamptz, "userId" text, action text,
        "leadKind" text, "leadId" text, details jsonb, address text)
      union all select null, updated_at, updated_by, 'triage-changed', kind, lead_id,
        jsonb_build_object('from', 'new', 'to', status, 'assignee', assignee_id)
        || case when assignee_id is null then '{}' else jsonb_build_object('assigneeBefore', null) end
        || case when snooze_until is null then '{}'
          else jsonb_build_object('snoozeUntil', snooze_until, 'snoozeBefore', null) end, null
      from ${triage} where updated_at >= ${since.toISOString()}::timestamptz
      union all select null, at, user_id, 'attempt-logged', kind, lead_id,
        jsonb_build_object('attempt', id, 'channel', channel, 'outcome', outcome), null from ${attempts}
      union all select null, created_at, author_id, 'note-added', kind, lead_id, jsonb_build_object('note', id), null
      from ${notes} where ${isInvented}
      union all select null, created_at, owner_id, 'view-added', null, null,
        jsonb_build_object('view', id, 'shared', shared), null from ${savedViews} where ${isInvented}
      union all select null, at, user_id, 'export-started', null, null, jsonb_build_object('export', id, 'count', count,
        'list', list, 'format', format, 'columns', columns), null from ${exports} where ${isInvented}
      union all select null, ended_at, user_id, 'export-ended', null, null,
        jsonb_build_object('export', id, 'state', state, 'written', written), null from ${exports} where ${isInvented}
    ) as past(id, at, by, action, kind, lead, details, address)`)
  await tx.execute(sql`select setval(pg_get_serial_sequence('activity', 'id'), (select max(id) from ${activity}))`)
}

const ROWS_AT_ONCE = 2_000

/** Rows with the same columns, as one JSON parameter: much faster than a list of values. */
async function insertRows<T extends PgTable>(tx: Db, table: T, rows: Rows<T>): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in (rows[0] ?? {}))
  const listed = (part: (key: string, column: PgColumn) => string) =>
    sql.raw(columns.map(([key, column]) => part(key, column)).join(', '))
  for (const some of inParts(rows, ROWS_AT_ONCE))
    await tx.execute(sql`
      insert into ${table} (${listed((_, { name }) => name)}) overriding system value
      select ${listed((key) => `"${key}"`)} from json_to_recordset(${JSON.stringify(some)}::json)
        as given(${listed((key, column) => `"${key}" ${column.getSQLType()}`)})`)
}
