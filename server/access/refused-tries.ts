import 'server-only'
import { and, count, desc, eq, gt, lte, max, sql } from 'drizzle-orm'
import type { RefusedTries } from '@/lib/contract/refused-tries'
import type { Connect } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import type { Viewer } from './viewer'

/**
 * What somebody tried in the viewer's name before they came (ASVS 5.0, 6.3.5), as the log has it. Their own slips on a device
 * of theirs are not told back to them.
 */
export async function refusedTries({ connect }: { connect: Connect }, viewer: Viewer): Promise<RefusedTries> {
  const db = await connect()
  const theirs = (action: string) => and(eq(activity.userId, viewer.id), eq(activity.action, action))
  const [last, before] = await db
    .select({ at: activity.at })
    .from(activity)
    .where(theirs('sign-in'))
    .orderBy(desc(activity.at))
    .limit(2)
  const [refused] = await db
    .select({ count: count(), lastAt: max(activity.at) })
    .from(activity)
    .where(
      and(
        theirs('sign-in-failed'),
        sql`${activity.details} ->> 'knownDevice' is distinct from 'true'`,
        last && lte(activity.at, last.at),
        before && gt(activity.at, before.at),
      ),
    )
  return {
    count: refused?.count ?? 0,
    lastAt: refused?.lastAt?.toISOString() ?? null,
    since: before?.at.toISOString() ?? null,
  }
}
