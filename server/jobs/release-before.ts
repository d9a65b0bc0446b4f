import 'server-only'
import { sql } from 'drizzle-orm'
import type { Connect } from '@/server/db/database'
import { batches, jobs } from '@/server/db/job-schema'

/**
 * Changes of many that the release before began and left: while instances are replaced nobody of that release may be there to end
 * them. They become jobs; this goes with their table in the next release.
 */
export async function adoptBatches(connect: Connect, silentSeconds: number): Promise<void> {
  const db = await connect()
  await db.execute(sql`
    with abandoned as (
      select * from ${batches} where state in ('changing', 'undoing')
        and heartbeat < clock_timestamp() - make_interval(secs => ${silentSeconds}) for update skip locked
    ), gone as (
      delete from ${batches} where state not in ('changing', 'undoing') or number in (select number from abandoned)
    ), adopted as (
      select *, state = 'undoing' as is_undo, json_build_object('fields', fields,
          'ids', (select json_object_agg(one ->> 'kind', one -> 'ids') from json_array_elements(leads::json) as one),
          'seen', (select coalesce(json_agg(json_build_object('kind', one ->> 'kind', 'id', seen ->> 0, 'updatedAt', seen -> 1)), '[]')
            from json_array_elements(leads::json) as one, json_array_elements(one -> 'seen') as seen)) as what,
        (select sum(json_array_length(one -> 'ids')) from json_array_elements(leads::json) as one) as size,
        jsonb_strip_nulls(jsonb_build_object('at', (extract(epoch from at) * 1000)::bigint, 'revision', revision,
          'first', first_log, 'last', last_log)) as place
      from abandoned
    )
    insert into ${jobs} (kind, user_id, state, payload, done, total, cursor, created_at, owner, heartbeat)
    select case when is_undo then 'undo' else 'change' end, user_id, 'running', case when is_undo then null else what end,
      case when is_undo then coalesce(undone_log - first_log + 1, 0) else done end,
      case when is_undo then coalesce(last_log - first_log + 1, 0) else size end,
      case when at is null then null else place end, created_at, owner, heartbeat
    from adopted order by number`)
}
