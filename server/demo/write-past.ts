import 'server-only'
import { and, getTableColumns, like, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { activitySeals } from '@/server/db/access-schema'
import { type Db, inParts } from '@/server/db/database'
import { activity, attempts, exports, mentions, notes, savedViews, triage } from '@/server/db/schema'
import { deleteEndedJobs } from '@/server/jobs'
import { lockTriage } from '@/server/triage/write-triage'
import { INVENTED } from './scene'

type Rows<T extends PgTable> = readonly T['$inferInsert'][]
export type Past = {
  triage: Rows<typeof triage>
  attempts: Rows<typeof attempts>
  notes: Rows<typeof notes>
  mentions: Rows<typeof mentions>
  savedViews: Rows<typeof savedViews>
  exports: Rows<typeof exports>
  log: Rows<typeof activity>
}

const ALL_INVENTED = `${INVENTED}%`
const isByPeople = (id: PgColumn | SQL) => sql`(${id} like ${ALL_INVENTED}) is not true`
/** On a lead that people decided about, everything stays. */
const isDecided = (kind: PgColumn, id: PgColumn) => sql`exists (select from ${triage}
  where ${triage.kind} = ${kind} and ${triage.leadId} = ${id} and ${isByPeople(triage.updatedBy)})`

/**
 * Within one transaction: replaces the rows of an earlier start by what `invent` returns. People's own rows stay,
 * and `invent` skips the leads they touched (`kind id`). The log starts at `since` and is sealed again.
 */
export async function writePast(tx: Db, since: Date, invent: (touched: ReadonlySet<string>) => Past): Promise<void> {
  await lockTriage(tx)
  const decided = await tx.select().from(triage).where(isByPeople(triage.updatedBy))
  const isTried = or(isByPeople(attempts.userId), isDecided(attempts.kind, attempts.leadId))
  const tried = await tx.select().from(attempts).where(isTried)
  const isLogged = or(isByPeople(activity.userId), isDecided(activity.leadKind, activity.leadId))
  const isOwn = and(isLogged, isByPeople(sql`${activity.details} ->> 'export'`))
  const own = await tx.select().from(activity).where(isOwn)
  const past = invent(new Set([...decided, ...tried].map(({ kind, leadId }) => `${kind} ${leadId}`)))

  // Truncated, because PGlite does not vacuum.
  await tx.execute(sql`truncate ${triage}, ${attempts}, ${activity}, ${activitySeals}`)
  for (const table of [notes, savedViews, exports]) await tx.delete(table).where(like(table.id, ALL_INVENTED))
  await deleteEndedJobs(tx, new Date())
  await fill(tx, triage, past.triage)
  await fill(tx, attempts, past.attempts)
  await fill(tx, notes, past.notes)
  await fill(tx, mentions, past.mentions)
  await fill(tx, savedViews, past.savedViews)
  await fill(tx, exports, past.exports)
  await writeLog(tx, since, [...own, ...past.log])
  await fill(tx, triage, decided)
  await fill(tx, attempts, tried)
}

/** Log entries that follow from the tables, and the rest, by time. */
async function writeLog(tx: Db, since: Date, rest: Rows<typeof activity>): Promise<void> {
  const isPast = sql`id like ${ALL_INVENTED}`
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
      from ${notes} where ${isPast}
      union all select null, created_at, owner_id, 'view-added', null, null,
        jsonb_build_object('view', id, 'shared', shared), null from ${savedViews} where ${isPast}
      union all select null, at, user_id, 'export-started', null, null, jsonb_build_object('export', id, 'count', count,
        'list', list, 'format', format, 'columns', columns), null from ${exports} where ${isPast}
      union all select null, ended_at, user_id, 'export-ended', null, null,
        jsonb_build_object('export', id, 'state', state, 'written', written), null from ${exports} where ${isPast}
    ) as past(id, at, by, action, kind, lead, details, address)`)
  await tx.execute(sql`select setval(pg_get_serial_sequence('activity', 'id'), (select max(id) from ${activity}))`)
}

const ROWS_AT_ONCE = 2_000

/** Rows with the same columns, as one JSON parameter: much faster than a list of values. */
async function fill<T extends PgTable>(tx: Db, table: T, rows: Rows<T>): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in (rows[0] ?? {}))
  const listed = (part: (key: string, column: PgColumn) => string) =>
    sql.raw(columns.map(([key, column]) => part(key, column)).join(', '))
  for (const some of inParts(rows, ROWS_AT_ONCE))
    await tx.execute(sql`
      insert into ${table} (${listed((_, { name }) => name)}) overriding system value
      select ${listed((key) => `"${key}"`)} from json_to_recordset(${JSON.stringify(some)}::json)
        as given(${listed((key, column) => `"${key}" ${column.getSQLType()}`)})`)
}
